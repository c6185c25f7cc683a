/** As many as a vector of ours has unless somebody wants another number. */
export const HASH_DIMENSIONS = 1024;

/* How much a feature tells: a word in common more than one part of a word. */
const WORD = 1;
const WORD_PAIR = 0.5;
const WORD_PART = 0.25;

const SHORTEST_PART = 3;
const LONGEST_PART = 5;

/** Stands before and after each word, so that beginnings and ends are features of their own. */
const EDGE = 32;

/** Characters; what comes after them is not looked at. Chunks and queries are far shorter. */
const MAX_LENGTH = 65_536;

/* Where hashes begin: features of different kinds must differ. The numbers are those of FNV-1a, and two others. */
const WORD_SEED = 0x811c9dc5 | 0;
const PART_SEED = 0x9e3779b9 | 0;
const PAIR_SEED = 0x85ebca6b | 0;
const PRIME = 0x01000193;

/**
 * Writes the vector of a text, of length 1, into one of as many dimensions as it has: what words, pairs of neighbouring words
 * and parts of words of 3 to 5 characters there are, each in a place and with a sign that its hash tells. Neither case nor
 * accents matter; what comes often counts by its square root.
 *
 * This is NOT semantic. Texts are near when they share words, or parts of them: `cars` is near `car`, and as far from
 * `automobile` as from anything. It needs no model and no network, and is the same on every machine.
 *
 * One vector is written at a time, in memory that is kept: it must not be called from within itself.
 */
export function hashEmbedding(text: string, vector: Float32Array): void {
  const length = spell(text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text);
  gatherFeatures(length);
  vector.fill(0);
  for (let index = 0; index < count; index++) {
    const slot = slots[index]!;
    const hash = mixed(hashes[slot]!);
    // The square root is the same everywhere to its last bit, as a logarithm is not.
    const weight = weights[slot]! * Math.sqrt(times[slot]!);
    const place = (hash & 0x7fffffff) % vector.length;
    vector[place] = vector[place]! + (hash < 0 ? -weight : weight);
    times[slot] = 0;
  }
  scaleToUnit(vector);
}

/** The text as it is looked at: characters of words, in lower case, and one EDGE between words, before and after. */
let spelled = new Uint16Array(8_192);

/** What a character is spelled as by itself, by its code: a letter or digit, EDGE, or one of these. 0: not looked at yet. */
const units = new Uint16Array(0x3000);
/** It is spelled as nothing (an accent of its own). */
const NOTHING = 0xffff;
/** How it is spelled depends on its neighbours, or takes several characters. */
const NOT_ALONE = 0xfffe;
/** Its small letter is another one at the end of a word. */
const SIGMA = 'Σ';

/** Spells a text out; how many there are, edges included. */
function spell(text: string): number {
  if (text.length + 2 > spelled.length) spelled = new Uint16Array(2 * text.length + 2);
  spelled[0] = EDGE;
  let length = 1;
  for (let index = 0; index < text.length; index++) {
    const unit = unitOf(text.charCodeAt(index));
    if (unit === NOT_ALONE) return spellWhole(folded(text));
    if (unit !== NOTHING && (unit !== EDGE || spelled[length - 1] !== EDGE)) spelled[length++] = unit;
  }
  if (spelled[length - 1] !== EDGE) spelled[length++] = EDGE;
  return length;
}

/** A text that had to be folded as a whole. */
function spellWhole(plain: string): number {
  if (plain.length + 2 > spelled.length) spelled = new Uint16Array(2 * plain.length + 2);
  spelled[0] = EDGE;
  let length = 1;
  for (let index = 0; index < plain.length; index++) {
    const code = plain.charCodeAt(index);
    if (code !== EDGE || spelled[length - 1] !== EDGE) spelled[length++] = code;
  }
  if (spelled[length - 1] !== EDGE) spelled[length++] = EDGE;
  return length;
}

function unitOf(code: number): number {
  if (code >= units.length) return NOT_ALONE;
  const known = units[code]!;
  if (known !== 0) return known;
  const unit = lookedUp(code);
  units[code] = unit;
  return unit;
}

function lookedUp(code: number): number {
  const character = String.fromCharCode(code);
  if (character.normalize('NFKD').includes(SIGMA)) return NOT_ALONE;
  const plain = folded(character);
  if (plain === '') return NOTHING;
  return plain.length === 1 ? plain.charCodeAt(0) : NOT_ALONE;
}

/** Without accents, without what belongs to no word, and with the characters of scripts without spaces as words each. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, ' $& ');
}

/* The features of the text at hand, in a table of hashes that leads on to the next free place. `times` is 0 where it is free. */
let hashes = new Int32Array(4_096);
let times = new Uint32Array(4_096);
let weights = new Float32Array(4_096);
/** The places that are taken, in the order of the text: sums of floating numbers depend on it. */
let slots = new Uint32Array(2_048);
let count = 0;

/** Features per character at the most: as many parts as lengths, and of each word itself and its pair. */
const FEATURES_PER_UNIT = LONGEST_PART - SHORTEST_PART + 1 + 2;

function gatherFeatures(length: number): void {
  count = 0;
  makeRoom(length * FEATURES_PER_UNIT);
  let start = 1;
  let previous = 0;
  for (let end = 1; end < length; end++) {
    if (spelled[end] !== EDGE) continue;
    const word = hashOf(start, end);
    add(word, WORD);
    if (start > 1) add(Math.imul(previous ^ PAIR_SEED, PRIME) ^ word, WORD_PAIR);
    gatherParts(start - 1, end + 1);
    previous = word;
    start = end + 1;
  }
  // A vector needs a direction: all texts without words have the same.
  if (count === 0) add(WORD_SEED, WORD);
}

/** The parts of a word with its edges. */
function gatherParts(from: number, to: number): void {
  for (let start = from; start + SHORTEST_PART <= to; start++) {
    const end = Math.min(start + LONGEST_PART, to);
    let hash = PART_SEED;
    for (let index = start; index < end; index++) {
      hash = Math.imul(hash ^ spelled[index]!, PRIME);
      if (index - start + 1 >= SHORTEST_PART) add(hash, WORD_PART);
    }
  }
}

function hashOf(from: number, to: number): number {
  let hash = WORD_SEED;
  for (let index = from; index < to; index++) hash = Math.imul(hash ^ spelled[index]!, PRIME);
  return hash;
}

function add(hash: number, weight: number): void {
  const last = hashes.length - 1;
  let slot = mixed(hash) & last;
  while (times[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & last;
  if (times[slot] === 0) {
    hashes[slot] = hash;
    weights[slot] = weight;
    slots[count++] = slot;
  }
  times[slot] = times[slot]! + 1;
}

/** Room for so many features, half of it free. */
function makeRoom(features: number): void {
  if (features <= slots.length) return;
  const size = 2 ** Math.ceil(Math.log2(features));
  slots = new Uint32Array(size);
  hashes = new Int32Array(2 * size);
  times = new Uint32Array(2 * size);
  weights = new Float32Array(2 * size);
}

/** Every bit of the hash in every bit (the last steps of MurmurHash3). */
function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

function scaleToUnit(vector: Float32Array): void {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += vector[index]! * vector[index]!;
  // Among few dimensions, features may take each other away.
  if (squares === 0) {
    vector[0] = 1;
    return;
  }
  const scale = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) vector[index] = vector[index]! * scale;
}
