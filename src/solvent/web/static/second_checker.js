// A second opinion on certificates, written from the reference pages and not from Solvent's own checker: what every
// domain shares. It looks at the envelope, hands the rest to the checker of the certificate's domain, and has a plain
// checker of refutations for those. Nothing here asks a server, and nothing is accepted that was not verified.
//
// A domain's checker is one function: check(text, certificate, tools) returns the list of all violations. `tools` are
// `badInput` and `notChecked`, which end the check with a message, and `refutationProblem`.

class Ending extends Error {
  constructor(verdict, message) {
    super(message);
    this.verdict = verdict;
  }
}

const tools = {
  // The instance or the certificate cannot be read.
  badInput(message) {
    throw new Ending("bad input", message);
  },
  // This checker does not know the form, or what the form says about such an instance.
  notChecked(message) {
    throw new Ending("not checked", message);
  },
  refutationProblem,
};

// Check a certificate about an instance; `checkers` has the function of each domain by name. Returns {verdict,
// violations, why}: "accepted", "rejected" with all violations, or "not checked" or "bad input" with the reason.
function checkWith(checkers, text, certificate) {
  try {
    const violations = envelopeViolations(checkers, certificate);
    if (!violations.length) violations.push(...checkers[certificate.domain](text, certificate, tools));
    return { verdict: violations.length ? "rejected" : "accepted", violations, why: "" };
  } catch (error) {
    if (error instanceof Ending) return { verdict: error.verdict, violations: [], why: error.message };
    // A form that makes this program fail was not verified; running out of stack or memory is the likely reason.
    return { verdict: "not checked", violations: [], why: `this checker failed: ${error.message}` };
  }
}

function envelopeViolations(checkers, certificate) {
  if (certificate === null || typeof certificate !== "object" || Array.isArray(certificate)) return ["a certificate is a JSON object"];
  const violations = [];
  if (certificate.solvent !== 1) violations.push(`solvent: expected 1, got ${JSON.stringify(certificate.solvent)}`);
  for (const key of ["domain", "question", "verdict", "form"])
    if (typeof certificate[key] !== "string") violations.push(`${key}: expected text, got ${JSON.stringify(certificate[key])}`);
  if (!violations.length && !["YES", "NO"].includes(certificate.verdict)) violations.push(`verdict: expected YES or NO, got ${certificate.verdict}`);
  if (!violations.length && !Object.hasOwn(checkers, certificate.domain)) tools.notChecked(`no second checker for the domain ${certificate.domain}`);
  return violations;
}

// Read the JSON of a certificate. JSON.parse takes 1.0 for 1, but a whole number is written without a point: any other
// number becomes text here, which is no number to any checker.
function readCertificate(json) {
  const exact = json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') || /^-?\d+$/.test(token) ? token : `"${token}"`,
  );
  try {
    return JSON.parse(exact);
  } catch (error) {
    return tools.badInput(`the certificate is no JSON: ${error.message}`);
  }
}

// Say what is wrong with a refutation in DRUP text, or return null if it shows that the clauses cannot all be true.
// A clause is a list of literals; a literal is a variable's number, negative for "not".
function refutationProblem(clauses, proof) {
  const known = new Propagation();
  for (const clause of clauses) known.add(clause);
  const variables = clauses.flat().reduce((most, literal) => Math.max(most, Math.abs(literal)), 0);
  const lines = proof.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const words = lines[at].split(/[ \t\r]+/).filter(Boolean);
    if (!words.length || lines[at].startsWith("c")) continue; // a comment
    const deletes = words[0] === "d";
    const numbers = (deletes ? words.slice(1) : words).map((word) => (/^-?\d{1,9}$/.test(word) ? Number(word) : NaN));
    const literals = numbers.slice(0, -1);
    if (numbers.at(-1) !== 0 || literals.some((literal) => !literal)) return `line ${at + 1} of the proof: expected whole numbers and a 0 at the end`;
    if (literals.some((literal) => Math.abs(literal) > variables)) return `line ${at + 1} of the proof: there are only ${variables} variables`;
    if (deletes) known.remove(literals);
    else if (!known.implies(literals)) return `line ${at + 1} of the proof does not follow by unit propagation`;
    else if (!literals.length) return null;
    else known.add(literals);
  }
  return "the proof does not end with the empty clause";
}

// Clauses and what follows from them by unit propagation. Each clause of two literals or more is watched at two of
// them, the first two of its list: nothing can follow from it before one of these is false.
class Propagation {
  constructor() {
    this.value = new Map(); // literal -> true, for literals known to be true
    this.trail = []; // these literals, in the order in which they became known
    this.watching = new Map(); // literal -> clauses watched at it
    this.named = new Map(); // a clause's literals in order -> the clauses with these
    this.contradiction = false; // whether what is known for good is contradictory
  }

  add(given) {
    const clause = [...new Set(given)];
    if (clause.some((literal) => clause.includes(-literal))) return; // always true
    const name = nameOf(clause);
    this.named.set(name, [...(this.named.get(name) ?? []), clause]);
    clause.sort((a, b) => this.rank(a) - this.rank(b));
    for (const literal of clause.slice(0, 2)) this.watch(literal, clause);
    if (!clause.length || this.isFalse(clause[0])) this.contradiction = true;
    else if (clause.length === 1 || this.isFalse(clause[1])) this.contradiction ||= !this.assume(clause[0]);
  }

  // What followed from the clause stays known: it follows from the formula all the same.
  remove(literals) {
    const clause = this.named.get(nameOf([...new Set(literals)]))?.pop();
    if (clause) clause.removed = true;
  }

  // Return whether a contradiction follows once all these literals are false.
  implies(literals) {
    const before = this.trail.length;
    const contradiction = this.contradiction || literals.some((literal) => !this.assume(-literal));
    while (this.trail.length > before) this.value.delete(this.trail.pop());
    return contradiction;
  }

  isFalse(literal) {
    return this.value.has(-literal);
  }

  // Literals that may be watched come first: those not known, or known to be true.
  rank(literal) {
    return this.isFalse(literal) ? 1 : 0;
  }

  watch(literal, clause) {
    const watched = this.watching.get(literal);
    if (watched) watched.push(clause);
    else this.watching.set(literal, [clause]);
  }

  // Let a literal be true, and all that follows; returns false at a contradiction.
  assume(literal) {
    if (this.isFalse(literal)) return false;
    if (this.value.has(literal)) return true;
    let next = this.trail.length;
    this.learn(literal);
    for (; next < this.trail.length; next++) if (!this.visit(-this.trail[next])) return false;
    return true;
  }

  learn(literal) {
    this.value.set(literal, true);
    this.trail.push(literal);
  }

  // A literal became false: find each of its clauses another literal to be watched at, or see what follows.
  visit(falsified) {
    const clauses = this.watching.get(falsified) ?? [];
    const kept = [];
    let consistent = true;
    for (const clause of clauses) {
      if (clause.removed) continue;
      if (!consistent) {
        kept.push(clause);
        continue;
      }
      if (clause[0] === falsified) [clause[0], clause[1]] = [clause[1], clause[0]];
      const other = clause.findIndex((literal, place) => place > 1 && !this.isFalse(literal));
      if (clause.length > 1 && !this.value.has(clause[0]) && other > 0) {
        [clause[1], clause[other]] = [clause[other], clause[1]];
        this.watch(clause[1], clause);
        continue;
      }
      kept.push(clause);
      if (clause.length === 1 || this.isFalse(clause[0])) consistent = false;
      else if (!this.value.has(clause[0])) this.learn(clause[0]);
    }
    this.watching.set(falsified, kept);
    return consistent;
  }
}

function nameOf(clause) {
  return [...clause].sort((a, b) => a - b).join(" ");
}

export { checkWith, readCertificate };
