// The colours of maps and their signs, in light and dark. Pieces come with the colours of the drawings; a style sheet
// repaints them on a dark ground. What a colour becomes depends on the colour alone, so one sheet serves all maps.

const HEX = /^#[0-9a-f]{3,6}$/i;
const WHERE = ":is(.dungeon-map, .icon)";
const known = new Map(); // colour -> what it becomes on a dark ground
const sheet = new CSSStyleSheet();

// Learn the dark colours of a picture: its `dark`.
export function learnColours(dark) {
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  for (const [light, painted] of Object.entries(dark ?? {})) {
    if (known.has(light) || !HEX.test(light) || !HEX.test(painted)) continue;
    known.set(light, painted);
    for (const side of ["fill", "stroke"]) sheet.insertRule(`${WHERE} [${side}="${light}"] { ${side}: light-dark(${light}, ${painted}); }`);
  }
}

// A colour for a style, in light and dark.
export const themed = (colour) => (known.has(colour) ? `light-dark(${colour}, ${known.get(colour)})` : colour);
