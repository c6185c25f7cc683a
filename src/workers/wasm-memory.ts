const MAGIC_AND_VERSION = 8;
const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;
const PAGE = 65_536;

/** Lowers a module's declared maximum: no other limit covers WebAssembly memory. */
export function withMemoryLimit(wasm: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  const limited = new Uint8Array(wasm);
  const { at, digits, value } = maximumOf(limited);
  const pages = Math.floor(bytes / PAGE);
  if (pages > value) throw new Error(`The module's memory ends at ${value} pages already, which is below ${pages}`);
  writeNumber(limited, at, digits, pages);
  return limited;
}

interface WrittenNumber {
  at: number;
  digits: number;
  value: number;
}

function maximumOf(wasm: Uint8Array): WrittenNumber {
  let at = MAGIC_AND_VERSION;
  while (at < wasm.length) {
    const section = wasm[at];
    const size = readNumber(wasm, at + 1);
    const body = size.at + size.digits;
    if (section === MEMORY_SECTION) {
      const memories = readNumber(wasm, body);
      const flags = readNumber(wasm, body + memories.digits);
      if (memories.value !== 1 || flags.value !== HAS_MAXIMUM) break;
      const minimum = readNumber(wasm, flags.at + flags.digits);
      return readNumber(wasm, minimum.at + minimum.digits);
    }
    at = body + size.value;
  }
  throw new Error('The module declares no memory of its own that states a maximum');
}

/** LEB128: seven bits a byte, lowest first; the eighth bit marks continuation. */
function readNumber(wasm: Uint8Array, at: number): WrittenNumber {
  let value = 0;
  for (let digits = 0; digits < 5; digits += 1) {
    const byte = wasm[at + digits];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * digits);
    if (byte < 0x80) return { at, digits: digits + 1, value };
  }
  throw new Error(`The module is damaged at byte ${at}`);
}

/** Keeps the number of bytes, so that nothing moves; LEB128 allows leading zeros. */
function writeNumber(wasm: Uint8Array, at: number, digits: number, value: number): void {
  for (let digit = 0; digit < digits; digit += 1) {
    const more = digit < digits - 1 ? 0x80 : 0;
    wasm[at + digit] = ((value >>> (7 * digit)) & 0x7f) | more;
  }
}
