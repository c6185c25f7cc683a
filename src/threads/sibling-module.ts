/** The module in the same folder, in TypeScript or, when built, in JavaScript. */
export function siblingModule(url: string, name: string): URL {
  return new URL(`./${name}${url.endsWith('.ts') ? '.ts' : '.js'}`, url);
}
