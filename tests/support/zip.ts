import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content: string | Buffer;
  /** What the headers say of the size; absent: the truth. */
  declaredSize?: number;
  isEncrypted?: boolean;
}

const DEFLATED = 8;
const ENCRYPTED = 1;

/** A zip file, whose headers may lie. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content);
    const packed = deflateRawSync(content);
    const fields = fieldsOf(entry, content, packed, name.length);
    const local = Buffer.concat([Buffer.from('PK\x03\x04\x14\x00', 'latin1'), fields, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00\x14\x00', 'latin1'), fields, rest, name);
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}

/** Those that stand alike before a file and in the directory. */
function fieldsOf(entry: ZipEntry, content: Buffer, packed: Buffer, nameLength: number): Buffer {
  const fields = Buffer.alloc(24);
  fields.writeUInt16LE(entry.isEncrypted ? ENCRYPTED : 0, 0);
  fields.writeUInt16LE(DEFLATED, 2);
  fields.writeUInt32LE(crc32(content), 8);
  fields.writeUInt32LE(packed.length, 12);
  fields.writeUInt32LE(entry.declaredSize ?? content.length, 16);
  fields.writeUInt16LE(nameLength, 20);
  return fields;
}
