const PLACEHOLDER = /\{([A-Za-z_][\w.-]*)\}/g;

/** The parameters of a path such as `/pets/{petId}`. */
export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** Encoded texts and parameter names alternate, beginning with a text, which may be empty. */
export function partsOf(path: string): string[] {
  return path.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? encodeLiteral(part) : part));
}

/** Encodes what a URL would encode by itself. */
function encodeLiteral(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]|["<>^`]/gu, encodeURIComponent);
}

export function withoutPlaceholders(path: string): string {
  return path.replace(PLACEHOLDER, '');
}
