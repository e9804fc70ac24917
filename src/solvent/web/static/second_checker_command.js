// The command of the one-file checker: `node solvent-check.mjs FILE CERTIFICATE`, and `--batch`, which reads lines of
// JSON with `text` and `certificate` (JSON as text) and writes a line with the verdict for each.

const EXIT_CODES = { accepted: 0, "bad input": 30, rejected: 31, "not checked": 32 };

async function main(given) {
  const { readFileSync } = await import("node:fs");
  if (given.length === 1 && given[0] === "--batch") {
    const { createInterface } = await import("node:readline");
    for await (const line of createInterface({ input: process.stdin })) {
      const { text, certificate } = JSON.parse(line);
      process.stdout.write(`${JSON.stringify(checkText(text, certificate))}\n`);
    }
    return 0;
  }
  if (given.length !== 2 || given[0].startsWith("--")) {
    console.error("Usage: node solvent-check.mjs FILE CERTIFICATE");
    return 2;
  }
  let texts;
  try {
    texts = given.map((path) => readFileSync(path, "utf-8"));
  } catch (error) {
    console.error(error.message);
    return EXIT_CODES["bad input"];
  }
  const { verdict, violations, why } = checkText(...texts);
  console.log(why ? `${verdict}: ${why}` : violations.length ? `${verdict}: ${violations.length === 1 ? "1 violation" : `${violations.length} violations`}` : verdict);
  for (const violation of violations) console.log(`  - ${violation}`);
  return EXIT_CODES[verdict];
}

// Whether this file was started by Node, and not imported.
async function isStarted() {
  if (typeof process === "undefined" || !process.argv?.[1]) return false;
  const { realpathSync } = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  return import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href;
}

if (await isStarted()) process.exitCode = await main(process.argv.slice(2));
