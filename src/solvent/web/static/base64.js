// Files travel as base64, which is a third longer than what they hold.

export function base64(bytes) {
  const pieces = [];
  for (let begin = 0; begin < bytes.length; begin += 0x8000) pieces.push(String.fromCharCode(...bytes.subarray(begin, begin + 0x8000)));
  return btoa(pieces.join(""));
}

export const tooLarge = (most) => ({ kind: "too_large", message: `At most ${Math.floor(most / (1 << 20))} MB can be opened here.` });
