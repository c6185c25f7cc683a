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

/** By ASCII code: letters in lower case and digits are themselves, all else is an edge. */
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : EDGE;
});

/** Spells a text out; how many there are, edges included. */
function spell(text: string): number {
  const plain = isAscii(text) ? text : folded(text);
  if (plain.length + 2 > spelled.length) spelled = new Uint16Array(2 * plain.length + 2);
  spelled[0] = EDGE;
  let length = 1;
  for (let index = 0; index < plain.length; index++) {
    const unit = plain.charCodeAt(index);
    const code = unit < 128 ? ASCII[unit]! : unit;
    if (code !== EDGE || spelled[length - 1] !== EDGE) spelled[length++] = code;
  }
  if (spelled[length - 1] !== EDGE) spelled[length++] = EDGE;
  return length;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
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
