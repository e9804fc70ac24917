// Dungeons, a second opinion: the text format, the rules of play and the certificates as the reference pages state them
// (dungeon-formats.md, dungeon.md, certificates-dungeon.md). Not translated from Solvent's checker. Imports nothing but
// its own parts, so that it also runs outside the page.

import { FORMS, UNKNOWN_FORMS } from "./second_checker/forms.js";
import { firstState, playAll } from "./second_checker/play.js";
import { readDungeon, sameRules } from "./second_checker/reading.js";

// Return all violations of a certificate about a dungeon.
function check(text, certificate, { badInput, notChecked }) {
  const dungeon = readDungeon(text, badInput, notChecked);
  const now = playAll(dungeon, firstState(dungeon), dungeon.moves);
  if (now.problem) badInput(`the moves already played: ${now.problem}`);
  const { form, question, verdict } = certificate;
  const known = FORMS[form];
  if (!known) {
    if (UNKNOWN_FORMS.includes(form)) notChecked(`the form '${form}' is not covered by this checker`);
    return [`there is no form '${form}'`];
  }
  if (!known.proves.includes(`${question}: ${verdict}`)) return [`the form '${form}' does not prove ${question}: ${verdict}`];
  if (!sameRules(certificate.rules, dungeon.rules)) return ["rules: made under other rules than those of the dungeon"];
  return known.violations(dungeon, now.state, certificate, notChecked);
}

export { check };
