const DAY_MS = 86_400_000;

export const LIFETIMES = ['7', '30', '90', 'never'] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/** As the API takes it: null is never. */
export function expiryOf(lifetime: Lifetime, now: number): string | null {
  return lifetime === 'never' ? null : new Date(now + Number(lifetime) * DAY_MS).toISOString();
}

interface Snippets {
  picture: string;
  frame: string;
}

/** HTML that shows a link elsewhere: a picture with a link to the page, and the page in a frame. */
export function snippetsOf(url: string, name: string): Snippets {
  const title = escaped(name);
  return {
    picture: `<a href="${url}"><img src="${url}.png" alt="${title}"></a>`,
    frame: `<iframe src="${url}" title="${title}" width="100%" height="600"></iframe>`,
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
