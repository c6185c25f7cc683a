const PLACEHOLDER = /\{([A-Za-z_][\w.-]*)\}/g;

/** The names of the parameters in a path such as `/pets/{petId}`, in its order. */
export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** The path with something in the place of each parameter. */
export function fillPlaceholders(path: string, textOf: (name: string) => string): string {
  return path.replace(PLACEHOLDER, (_, name: string) => textOf(name));
}

export function withoutPlaceholders(path: string): string {
  return fillPlaceholders(path, () => '');
}
