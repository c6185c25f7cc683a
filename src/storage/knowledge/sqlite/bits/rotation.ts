const SEED = 0x5eed;

/** Writes the bits of a vector into words, from a position on. */
export type SignBits = (vector: Float32Array, words: Uint32Array, at: number) => void;

/**
 * The signs of a vector after a random rotation. Vectors at an angle of a differ in a share of
 * a / pi of them: Charikar, "Similarity estimation techniques from rounding algorithms" (STOC
 * 2002). The rotation is two times random signs and a Walsh-Hadamard transform, equal on every
 * machine: without it, few signs of a sparse vector say anything. `bits` is a power of two.
 */
export function signBits(dimensions: number, bits: number): SignBits {
  const size = Math.max(bits, 2 ** Math.ceil(Math.log2(dimensions)));
  const random = randomSigns();
  const [first, second] = [Float32Array.from({ length: size }, random), Float32Array.from({ length: size }, random)];
  const rotated = new Float32Array(size);
  return (vector, words, at) => {
    for (let index = 0; index < dimensions; index++) rotated[index] = vector[index]! * first[index]!;
    rotated.fill(0, dimensions);
    transform(rotated);
    for (let index = 0; index < size; index++) rotated[index] = rotated[index]! * second[index]!;
    transform(rotated);
    for (let word = 0; word < bits / 32; word++) {
      let signs = 0;
      for (let bit = 0; bit < 32; bit++) signs |= (rotated[word * 32 + bit]! > 0 ? 1 : 0) << bit;
      words[at + word] = signs;
    }
  };
}

/** The fast Walsh-Hadamard transform, in place; two stages at once, which halves the time. */
function transform(values: Float32Array): void {
  const size = values.length;
  let half = 1;
  for (; half * 4 <= size; half *= 4) {
    for (let block = 0; block < size; block += 4 * half) {
      for (let index = block; index < block + half; index++) {
        const [a, b] = [values[index]!, values[index + half]!];
        const [c, d] = [values[index + 2 * half]!, values[index + 3 * half]!];
        values[index] = a + b + c + d;
        values[index + half] = a - b + c - d;
        values[index + 2 * half] = a + b - c - d;
        values[index + 3 * half] = a - b - c + d;
      }
    }
  }
  if (half === size) return;
  for (let index = 0; index < half; index++) {
    const [a, b] = [values[index]!, values[index + half]!];
    values[index] = a + b;
    values[index + half] = a - b;
  }
}

/** The generator mulberry32. */
function randomSigns(): () => number {
  let state = SEED;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) & 1) === 0 ? 1 : -1;
  };
}
