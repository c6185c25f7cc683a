/*
 * A zip entry carries its time of packing. A fixed date makes the build reproducible: anyone can
 * compare the hash with the published one.
 */

const END_OF_CENTRAL_DIRECTORY = 0x06054b50;
const END_LENGTH = 22;
const CENTRAL_ENTRY_LENGTH = 46;

/** 1 January 1980, 0:00, the earliest date of a zip file: time, then date, two bytes each. */
const FIRST_MOMENT = Buffer.from([0x00, 0x00, 0x21, 0x00]);

/** Sets the date of every entry in place, in the local header and in the central directory. */
export function steadyDates(zip: Buffer): void {
  const end = zip.length - END_LENGTH;
  if (zip.readUInt32LE(end) !== END_OF_CENTRAL_DIRECTORY) throw new Error('This is not a zip file without a comment.');
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    FIRST_MOMENT.copy(zip, entry + 12);
    FIRST_MOMENT.copy(zip, zip.readUInt32LE(entry + 42) + 10);
    const variable = [28, 30, 32].map((offset) => zip.readUInt16LE(entry + offset));
    entry += CENTRAL_ENTRY_LENGTH + variable.reduce((sum, length) => sum + length);
  }
}
