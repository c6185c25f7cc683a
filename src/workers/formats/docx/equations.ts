import { inScript } from '../../../core/knowledge/scripts.ts';
import type { XmlTag } from '../../../text/xml.ts';
import { isOn, valOf } from './markup.ts';

/** Around a fraction until its neighbours are known; XML has no such characters. */
const FRACTION = '\uffff';
const END = '\ufffe';

interface Structure {
  name: string;
  /** The values of its properties, by local name; an absent value counts as on. */
  properties: Map<string, string>;
  /** Texts of its arguments by name, in order. */
  parts: Map<string, string[]>;
}

const ARGUMENTS = new Set(['e', 'num', 'den', 'sub', 'sup', 'deg', 'lim', 'fName']);

/** Structures whose text stands as it is, besides those of `RENDERED`. */
const TRANSPARENT = new Set(['box', 'borderBox', 'groupChr', 'phant']);

/** One equation as a line, such as `x=(-b±√(b²-4ac))/(2a)`. */
export class Equation {
  readonly #structures: Structure[] = [];
  /** Texts under way: of the equation and of each open argument. */
  readonly #texts: string[] = [''];

  get text(): string {
    return settled(this.#texts[0]!);
  }

  add(text: string): void {
    this.#texts[this.#texts.length - 1] += text;
  }

  open(name: string, tag: XmlTag): void {
    const around = this.#structures.at(-1);
    if (name in RENDERED || TRANSPARENT.has(name)) {
      this.#structures.push({ name, properties: new Map(), parts: new Map() });
    } else if (ARGUMENTS.has(name) || name === 'mr') {
      this.#texts.push('');
    } else if (around && !/^(?:.*Pr|r|t|oMath)$/.test(name)) {
      around.properties.set(name, valOf(tag) ?? '1');
    }
  }

  close(name: string): void {
    const structure = this.#structures.at(-1);
    if (structure?.name === name) {
      this.#structures.pop();
      this.add((RENDERED[name] ?? plain)(structure));
    } else if ((ARGUMENTS.has(name) || name === 'mr') && this.#texts.length > 1) {
      const text = settled(this.#texts.pop()!);
      if (structure === undefined) this.add(text);
      else if (name !== 'mr') partsOf(structure, name).push(text);
      else partsOf(structure, name).push(partsOf(structure, 'e').splice(0).join(', '));
    }
  }
}

function partsOf({ parts }: Structure, name: string): string[] {
  const known = parts.get(name) ?? [];
  parts.set(name, known);
  return known;
}

type Render = (structure: Structure) => string;

const RENDERED: Readonly<Record<string, Render>> = {
  f: ({ properties, parts }) => {
    const [above, below] = [one(parts, 'num'), one(parts, 'den')];
    if (properties.get('type') === 'noBar') return `${factor(above)} atop ${factor(below)}`;
    return `${FRACTION}${factor(above)}/${DIVISOR.test(below) ? below : parenthesised(below)}${END}`;
  },
  rad: ({ properties, parts }) => {
    const degree = isOn(properties.get('degHide') ?? '0') ? '' : one(parts, 'deg');
    return `${root(degree)}(${one(parts, 'e')})`;
  },
  sSup: ({ parts }) => based(parts, /[⁰¹²³⁴-⁹⁺⁻^]/) + inScript('superscript', one(parts, 'sup')),
  sSub: ({ parts }) => based(parts, /[₀-₉₊₋_]/) + inScript('subscript', one(parts, 'sub')),
  sSubSup: ({ parts }) => based(parts) + scripts(parts),
  sPre: ({ parts }) => scripts(parts) + one(parts, 'e'),
  nary: ({ properties, parts }) => `${properties.get('chr') ?? '∫'}${scripts(parts)} ${one(parts, 'e')}`,
  func: ({ parts }) => {
    const of = one(parts, 'e');
    return `${one(parts, 'fName')}${/^\([^()]*\)$/.test(of) ? '' : ' '}${of}`;
  },
  d: ({ properties, parts }) => {
    const within = (parts.get('e') ?? []).join(properties.get('sepChr') ?? '|');
    return `${properties.get('begChr') ?? '('}${within}${properties.get('endChr') ?? ')'}`;
  },
  m: ({ parts }) => `[${(parts.get('mr') ?? []).join('; ')}]`,
  eqArr: ({ parts }) => (parts.get('e') ?? []).join('; '),
  limLow: ({ parts }) => one(parts, 'e') + inScript('subscript', one(parts, 'lim')),
  limUpp: ({ parts }) => one(parts, 'e') + inScript('superscript', one(parts, 'lim')),
  acc: ({ properties, parts }) => accented(one(parts, 'e'), properties.get('chr') ?? '\u0302'),
  bar: ({ properties, parts }) => accented(one(parts, 'e'), properties.get('pos') === 'top' ? '\u0305' : '\u0332'),
};

export function root(degree: string): string {
  return /^\d*$/.test(degree) ? `${inScript('superscript', degree)}√` : `√[${degree}]`;
}

function plain({ parts, properties, name }: Structure): string {
  return name === 'phant' && !isOn(properties.get('show')) ? '' : one(parts, 'e');
}

function one(parts: Structure['parts'], name: string): string {
  return parts.get(name)?.join('') ?? '';
}

function scripts(parts: Structure['parts']): string {
  return inScript('subscript', one(parts, 'sub')) + inScript('superscript', one(parts, 'sup'));
}

/** A base of several parts stands in parentheses, as one with a script of this kind. */
function based(parts: Structure['parts'], script?: RegExp): string {
  const base = one(parts, 'e');
  return script?.test(base) ? parenthesised(base) : factor(base);
}

const FACTOR = /^(?:[\p{L}\p{M}\p{N}.,_^′'⁺⁻₊₋]*|[([{|][^()[\]{}|]*[)\]}|]|\S)$/u;
/** A number, a name or a unit: `2a` is none, since `1/2a` has two meanings. */
const DIVISOR = /^(?:[\d.,]+|\p{L}[\p{L}\p{M}′']*)[⁰¹²³⁴-⁹⁺⁻₀-₉]*$/u;

function factor(text: string): string {
  return FACTOR.test(text) ? text : parenthesised(text);
}

function parenthesised(text: string): string {
  return text === '' || /^\([^()]*\)$/.test(text) ? text : `(${text})`;
}

function accented(text: string, accent: string): string {
  return [...text].length === 1 ? text + accent : [...text].map((character) => character + accent).join('');
}

/** A fraction beside a factor stands in parentheses. */
function settled(text: string): string {
  if (!text.includes(FRACTION)) return text;
  return text.replace(/\uffff([^\ufffe]*)\ufffe/g, (whole, fraction: string, at: number) => {
    const around = `${text[at - 1] ?? ''} ${text[at + whole.length] ?? ''}`;
    return /[\p{L}\p{N})\]}√⁰¹²³⁴-⁹₀-₉] | [\p{L}\p{N}([{√^_\uffff]|\ufffe /u.test(around) ? `(${fraction})` : fraction;
  });
}
