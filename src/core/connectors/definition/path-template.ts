const PLACEHOLDER = /\{([A-Za-z_][\w.-]*)\}/g;

/** The names of the parameters in a path such as `/pets/{petId}`, in its order. */
export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** What it consists of in turn: a text as URLs have it, which may be empty, the name of a parameter, a text, and so on. */
export function partsOf(path: string): string[] {
  return path.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? encodeLiteral(part) : part));
}

/** What a URL would encode in a path by itself. */
function encodeLiteral(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]|["<>^`]/gu, encodeURIComponent);
}

export function withoutPlaceholders(path: string): string {
  return path.replace(PLACEHOLDER, '');
}
