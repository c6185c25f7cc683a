import { server } from './server.ts';

const known = Object.entries(server).map(([english, translation]) => [patternOf(english), translation] as const);

/** Translates sentences that the server wrote in English. Those that the catalogue lacks stay as they are. */
export function serverText(text: string): string {
  const translated = (sentence: string) => {
    for (const [english, translation] of known) {
      const groups = english.exec(sentence)?.groups;
      if (groups) return translation.replaceAll(/\{(\w+)\}/g, (_, name: string) => groups[name]!);
    }
    return sentence;
  };
  return text
    .split(/(?<=\.) (?=["\p{Lu}])/u)
    .map(translated)
    .join(' ');
}

/** The groups are the values. An empty one is there for texts without values: `groups` tells that the text fits. */
function patternOf(english: string): RegExp {
  const fixed = english
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part.replace(/[.?()]/g, '\\$&') : `(?<${part}>.+?)`));
  return new RegExp(`^(?<_>)${fixed.join('')}$`);
}
