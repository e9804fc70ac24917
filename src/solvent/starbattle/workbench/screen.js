// What a small screen changes.

// On a phone every pixel is for cells: numbers of rows and columns are shown if they are wanted.
export const isPhone = () => matchMedia("(max-width: 480px)").matches;
