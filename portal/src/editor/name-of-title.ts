const MAX_NAME = 100;

/** A name made of the title: `resolution_rate` of "Resolution rate". */
export function nameOfTitle(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, MAX_NAME);
}
