// Open anything: a text, a file or several, dropped, chosen or pasted. What it is, is found out from what it holds.

import { about, forget, post } from "./api.js";
import { base64, tooLarge } from "./base64.js";
import { openList } from "./entries_page.js";
import { baseName } from "./format.js";
import { linkTo } from "./share.js";

const STORE_BEGINNING = "SQLite format 3\0";

// Go to what a text holds. `name` is that of its file, `title` what stands above it instead.
export async function openText(text, name = "", more = {}, title = "") {
  let loaded;
  try {
    loaded = await post("load", { text, name, ...more });
  } catch (error) {
    if (error.kind === "instance" && (await openList(new File([text], name || "list"), []).catch(() => false))) return;
    if (!(await canBeMapped(error, text, name, more))) throw error;
    (await import("./mapping_page.js")).beginMapping({ text, name, ...more });
    return;
  }
  location.hash = await linkTo(loaded.domain, loaded.text, { name, title });
}

// Whether a text is a map whose names have no meaning yet, or that names other files.
async function canBeMapped(error, text, name, more) {
  if (error.kind !== "instance" || !/^\s*[<{]/.test(text)) return false;
  try {
    const { names, needs } = await post("mapping", { text, name, ...more });
    return names.length + needs.length > 0;
  } catch {
    return false;
  }
}

const MAP = /\.(tmx|ldtk|tmj)$/i;
const LIST = /\.(xml|json|txt)$/i; // what may list several instances, each with files of its own
const MAIN = [MAP, /\.json$/i, /\.xml$/i, /\.txt$/i, /^/]; // the first kind there is names the others

// Go to what several files hold together: a map with the files that it names, and a mapping; rules with their pictures.
export async function openFiles(files) {
  if (files.length === 1) return openFile(files[0]);
  const main = (await rulesThatName(files)) ?? (await notNamed(MAIN.map((kind) => files.filter(({ name }) => kind.test(name))).find(({ length }) => length)));
  if (!MAP.test(main.name)) {
    const others = files.filter((file) => file !== main);
    return (LIST.test(main.name) && (await openList(main, others))) || openTogether(main, others);
  }
  const texts = await Promise.all(files.filter((file) => file !== main).map(async (file) => [file.name, await file.text()]));
  const mapping = texts.find(([name]) => name.endsWith(".toml"));
  return openText(await main.text(), main.name, { files: Object.fromEntries(texts.filter((each) => each !== mapping)), ...(mapping ? { mapping: mapping[1] } : {}) });
}

// Go to what a file holds. Raises what is to be said where it holds nothing that can be opened.
export async function openFile(file) {
  const { body_bytes: most } = await about();
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (beginsWith(bytes, STORE_BEGINNING)) return openStore(file, bytes, most);
  if (bytes.length > most) throw tooLarge(most);
  const text = decoded(bytes);
  if (text !== null) {
    await openText(text, file.name);
    return text;
  }
  if (bytes.length > most * 0.74) throw tooLarge(most * 0.74); // it travels as base64
  const loaded = await post("open", { name: file.name, data: base64(bytes) });
  location.hash = await linkTo(loaded.domain, loaded.text, { name: file.name });
  return null;
}

// Rules in JSON that name a map of the others: the map is their sample.
async function rulesThatName(files) {
  const maps = files.filter(({ name }) => MAP.test(name));
  for (const file of files.filter(({ name }) => maps.length && /\.json$/i.test(name))) {
    const text = await file.text();
    if (maps.some(({ name }) => text.includes(name))) return file;
  }
  return null;
}

// Of files of one kind, the first that no other one names: a list names rule sets, which name pictures.
async function notNamed(files) {
  if (files.length === 1 || !LIST.test(files[0].name)) return files[0];
  const texts = await Promise.all(files.map((file) => file.text()));
  return files.find(({ name }, at) => !texts.some((text, other) => other !== at && text.includes(`"${baseName(name)}"`))) ?? files[0];
}

async function openTogether(main, others) {
  const { body_bytes: most } = await about();
  if ([main, ...others].reduce((sum, { size }) => sum + size, 0) > most * 0.74) throw tooLarge(most * 0.74);
  const sent = async (file) => base64(new Uint8Array(await file.arrayBuffer()));
  const files = Object.fromEntries(await Promise.all(others.map(async (file) => [file.name, await sent(file)])));
  const loaded = await post("open", { name: main.name, data: await sent(main), files });
  location.hash = await linkTo(loaded.domain, loaded.text, { name: main.name });
}

async function openStore(file, bytes, most) {
  if (bytes.length > most * 0.74) throw Object.assign(tooLarge(most * 0.74), { message: `This store of results is too large to send. Show it with: solvent serve ${file.name}` });
  const { id } = await post("send_store", { name: file.name, data: base64(bytes) });
  forget();
  document.querySelector('nav a[data-page="runs"]').hidden = false;
  location.hash = "#/runs";
  return id;
}

const beginsWith = (bytes, letters) => [...letters].every((letter, place) => bytes[place] === letter.charCodeAt(0));

function decoded(bytes) {
  if (bytes.subarray(0, 4096).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
