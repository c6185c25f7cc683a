import { readFileSync } from 'node:fs';

/** A fenced example of a page. */
export interface Fence {
  language: string;
  /** The word after the language, if there is one. */
  mark: string;
  text: string;
}

/** The examples of docs/<page>.md, in their order. */
export function fencesOf(page: string): Fence[] {
  return fencesIn(`docs/${page}.md`);
}

/** `path` begins in the checkout. */
export function fencesIn(path: string): Fence[] {
  const markdown = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  return [...markdown.matchAll(/^```(\w+) ?(\w*)\n([\s\S]*?)\n```$/gm)].map(([, language, mark, text]) => ({
    language: language!,
    mark: mark!,
    text: text!,
  }));
}
