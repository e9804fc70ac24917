// Talk to the server. Every reply is JSON; long work comes as events, and hanging up stops it.

export class Refused extends Error {
  constructor(status, failure) {
    super(failure.message);
    this.status = status;
    this.kind = failure.kind; // see the API's description
    this.where = failure.where ?? null; // {line, column, path}
    this.value = failure.value ?? null;
  }
}

const TRIES_WHEN_BUSY = 4;

async function failure(reply) {
  let error;
  try {
    ({ error } = await reply.json());
  } catch {
    error = { kind: "bug", message: `The server answered with ${reply.status} ${reply.statusText}.` };
  }
  return new Refused(reply.status, error);
}

async function reach(address, how) {
  for (let attempt = 1; ; attempt++) {
    let reply;
    try {
      reply = await fetch(address, how);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refused(0, { kind: "bug", message: "The server cannot be reached. Is it still running?" });
    }
    if (reply.headers.get("solvent-refusals")) throw await failure(reply);
    if (reply.ok) return reply;
    if (reply.status !== 503 || attempt === TRIES_WHEN_BUSY) throw await failure(reply);
    await pause(1000 * Number(reply.headers.get("retry-after") ?? 2), how?.signal);
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("stopped", "AbortError"));
    });
  });
}

export async function get(address, signal) {
  return (await reach(address, { signal })).json();
}

function posting(body, signal, accept) {
  return {
    method: "POST",
    headers: { "content-type": "application/json", accept, "solvent-refusals": "quiet" }, // what is refused is no error of ours
    body: JSON.stringify(body),
    signal,
  };
}

// Do something quick: load, play, edit, draw, format.
export async function post(verb, body, { signal } = {}) {
  return (await reach(`/api/${verb}`, posting(body, signal, "application/json"))).json();
}

// Fetch a file that the server makes: export.
export async function fetchFile(verb, body, { signal } = {}) {
  return (await reach(`/api/${verb}`, posting(body, signal, "*/*"))).blob();
}

// Do something that may take long: ask, hints, steps, explain, generate, check. `on` has a function for each kind of
// event that is to be heard: {progress(news), hint(step), watch(data)}. Aborting the signal stops the work.
export async function work(verb, body, { signal, on = {} } = {}) {
  const reply = await reach(`/api/${verb}`, posting(body, signal, "text/event-stream"));
  let result; // read on to the end all the same: leaving early would look like hanging up
  let failed = null;
  for await (const [name, data] of events(reply.body)) {
    if (name === "result") result = data;
    else if (name === "failure") failed = new Refused(200, data.error);
    else on[name]?.(data);
  }
  if (failed) throw failed;
  if (result !== undefined) return result;
  throw new Refused(0, { kind: "bug", message: "The server hung up before it was done." });
}

async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    let end;
    while ((end = rest.indexOf("\n\n")) >= 0) {
      const lines = rest.slice(0, end).split("\n");
      rest = rest.slice(end + 2);
      const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
      const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
      if (name && data) yield [name, JSON.parse(data)];
    }
  }
}

// What the server is and allows, asked for once.
let known = null;
export function about() {
  known ??= get("/api/about").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

// Ask for it anew the next time: something changed what is served.
export function forget() {
  known = null;
}

export async function domainNamed(name) {
  return (await about()).domains.find((domain) => domain.name === name) ?? null;
}
