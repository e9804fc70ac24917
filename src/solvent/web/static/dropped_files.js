// The files that were dropped, those in folders among them: each of these says as `folder` where it lies.

const MAX_FILES = 2000;

// Has to be called while the drop is being handled: later, the browser keeps its content back.
export function droppedFiles(given) {
  const entries = [...(given.items ?? [])].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return Promise.resolve([...given.files]);
  return filesIn(entries);
}

async function filesIn(entries) {
  const found = [];
  const waiting = [...entries];
  while (waiting.length && found.length < MAX_FILES) {
    const entry = waiting.shift();
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory) waiting.push(...(await listed(entry.createReader())));
    else found.push(Object.assign(await new Promise((resolve, reject) => entry.file(resolve, reject)), { folder: entry.fullPath.split("/").slice(1, -1).join("/") }));
  }
  return found;
}

// A reader gives a part of a folder at a time.
async function listed(reader) {
  const all = [];
  for (;;) {
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!part.length) return all;
    all.push(...part);
  }
}
