const PLACEHOLDER = /\{([A-Za-z_][\w.-]*)\}/g;

export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** Encoded texts and parameter names alternate. The first text may be empty. */
export function partsOf(path: string): string[] {
  return path.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? encodeLiteral(part) : part));
}

/** Encodes what a URL would encode anyway. */
function encodeLiteral(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]|["<>^`]/gu, encodeURIComponent);
}

export function withoutPlaceholders(path: string): string {
  return path.replace(PLACEHOLDER, '');
}
