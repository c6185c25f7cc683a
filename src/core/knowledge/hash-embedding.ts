export const HASH_DIMENSIONS = 1024;

/* Weights of features. */
const WORD = 1;
const WORD_PAIR = 0.5;
const WORD_PART = 0.25;

const SHORTEST_PART = 3;
const LONGEST_PART = 5;

/** Delimits words, so that their beginnings and ends are features. */
const EDGE = 32;

const MAX_LENGTH = 65_536;

/* Seeds that separate the kinds of features. WORD_SEED and PRIME are FNV-1a's. */
const WORD_SEED = 0x811c9dc5 | 0;
const PART_SEED = 0x9e3779b9 | 0;
const PAIR_SEED = 0x85ebca6b | 0;
const PRIME = 0x01000193;

/** A feature-hashed unit vector, NOT semantic, equal on every machine. Not reentrant. */
export function hashEmbedding(text: string, vector: Float32Array): void {
  const length = spell(text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text);
  gatherFeatures(length);
  vector.fill(0);
  for (let index = 0; index < count; index++) {
    const slot = slots[index]!;
    const hash = mixed(hashes[slot]!);
    // Unlike a logarithm, the square root is exact on every machine.
    const weight = weights[slot]! * Math.sqrt(times[slot]!);
    const dimension = (hash & 0x7fffffff) % vector.length;
    vector[dimension] = vector[dimension]! + (hash < 0 ? -weight : weight);
    times[slot] = 0;
  }
  scaleToUnit(vector);
}

/** Lower-case word characters, with one EDGE around and between words. */
let spelled = new Uint16Array(8_192);

/** By character code: a letter, a digit, EDGE, NOTHING, IN_CONTEXT; 0: not computed. */
const units = new Uint16Array(0x3000);
const NOTHING = 0xffff;
/** Depends on its neighbours or takes several characters. */
const IN_CONTEXT = 0xfffe;
/** Its lower case differs at the end of a word. */
const SIGMA = 'Σ';

/** Fills `spelled` and returns its length. */
function spell(text: string, isFolded = false): number {
  if (text.length + 2 > spelled.length) spelled = new Uint16Array(2 * text.length + 2);
  spelled[0] = EDGE;
  let length = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const unit = isFolded ? code : unitOf(code);
    if (unit === IN_CONTEXT) return spell(folded(text), true);
    if (unit !== NOTHING && (unit !== EDGE || spelled[length - 1] !== EDGE)) spelled[length++] = unit;
  }
  if (spelled[length - 1] !== EDGE) spelled[length++] = EDGE;
  return length;
}

function unitOf(code: number): number {
  if (code >= units.length) return IN_CONTEXT;
  const known = units[code]!;
  if (known !== 0) return known;
  const unit = lookedUp(code);
  units[code] = unit;
  return unit;
}

function lookedUp(code: number): number {
  const character = String.fromCharCode(code);
  if (character.normalize('NFKD').includes(SIGMA)) return IN_CONTEXT;
  const plain = folded(character);
  if (plain === '') return NOTHING;
  return plain.length === 1 ? plain.charCodeAt(0) : IN_CONTEXT;
}

/** Each character of an unspaced script is a word. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, ' $& ');
}

/* Open-addressing hash table; `times` is 0 in a free slot. */
let hashes = new Int32Array(4_096);
let times = new Uint32Array(4_096);
let weights = new Float32Array(4_096);
/** Used slots in the order of the text: floating-point sums depend on it. */
let slots = new Uint32Array(2_048);
let count = 0;

const FEATURES_PER_UNIT = LONGEST_PART - SHORTEST_PART + 1 + 2;

function gatherFeatures(length: number): void {
  count = 0;
  growTable(length * FEATURES_PER_UNIT);
  let start = 1;
  let previous = 0;
  for (let end = 1; end < length; end++) {
    if (spelled[end] !== EDGE) continue;
    const word = hashOf(start, end);
    add(word, WORD);
    if (start > 1) add(Math.imul(previous ^ PAIR_SEED, PRIME) ^ word, WORD_PAIR);
    addParts(start - 1, end + 1);
    previous = word;
    start = end + 1;
  }
  // A vector needs a direction: texts without words share one.
  if (count === 0) add(WORD_SEED, WORD);
}

function addParts(from: number, to: number): void {
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

function growTable(features: number): void {
  if (features <= slots.length) return;
  const size = 2 ** Math.ceil(Math.log2(features));
  slots = new Uint32Array(size);
  hashes = new Int32Array(2 * size);
  times = new Uint32Array(2 * size);
  weights = new Float32Array(2 * size);
}

/** MurmurHash3's finalizer. */
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
  // Features may cancel each other out.
  if (squares === 0) {
    vector[0] = 1;
    return;
  }
  const scale = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) vector[index] = vector[index]! * scale;
}
