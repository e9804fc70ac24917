// Addresses that hold an instance whole: its text, compressed, in the fragment, which browsers never send anywhere.

// `mode` is "play" or "edit".
export async function linkTo(domain, text, { name = "", title = "", mode = "play" } = {}) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const payload = letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const parts = [mode === "edit" ? "edit" : "at", domain, payload, name, title].map(encodeURIComponent);
  return `#/${parts.join("/").replace(/\/+$/, "")}`;
}

export async function textFrom(payload) {
  const letters = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

const MAX_BYTES = 8 << 20; // what the server takes; more would be a trap

async function through(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_BYTES) throw new Error("it is too large");
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
