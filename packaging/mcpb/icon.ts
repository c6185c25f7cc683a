import { crc32, deflateSync } from 'node:zlib';

/* The icon, drawn: three rising bars on a dark tile. Lengths are fractions of the icon's side. */

type Color = readonly [red: number, green: number, blue: number];

interface Tile {
  left: number;
  top: number;
  right: number;
  bottom: number;
  radius: number;
  /** Colours of the vertical gradient. */
  from: Color;
  to: Color;
}

const BAR = { bottom: 0.76, radius: 0.045 };
const TILES: Tile[] = [
  { left: 0.02, top: 0.02, right: 0.98, bottom: 0.98, radius: 0.22, from: [38, 70, 110], to: [16, 30, 56] },
  { ...BAR, left: 0.23, right: 0.37, top: 0.56, from: [94, 176, 255], to: [62, 134, 224] },
  { ...BAR, left: 0.43, right: 0.57, top: 0.41, from: [130, 208, 255], to: [78, 160, 240] },
  { ...BAR, left: 0.63, right: 0.77, top: 0.24, from: [255, 214, 120], to: [250, 164, 70] },
];

/** A square PNG with a transparent background. */
export function icon(side: number): Buffer {
  // Each row begins with its PNG filter type: none.
  const rows = Buffer.alloc(side * (1 + side * 4));
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      rows.set(pixel((x + 0.5) / side, (y + 0.5) / side, 1 / side), y * (1 + side * 4) + 1 + x * 4);
    }
  }
  return png(side, rows);
}

/** Red, green, blue and opacity of the composed tiles; `soft` is the width of an edge. */
function pixel(x: number, y: number, soft: number): number[] {
  let color = [0, 0, 0];
  let opacity = 0;
  for (const tile of TILES) {
    const covered = Math.min(1, Math.max(0, 0.5 - distance(tile, x, y) / soft));
    if (covered === 0) continue;
    const depth = (y - tile.top) / (tile.bottom - tile.top);
    const own = tile.from.map((from, channel) => from + (tile.to[channel]! - from) * depth);
    const total = covered + opacity * (1 - covered);
    const below = color;
    color = own.map((value, channel) => (value * covered + below[channel]! * opacity * (1 - covered)) / total);
    opacity = total;
  }
  return [...color, opacity * 255].map(Math.round);
}

/** Signed distance from a tile with round corners; negative inside. */
function distance({ left, top, right, bottom, radius }: Tile, x: number, y: number): number {
  const beyondX = Math.abs(x - (left + right) / 2) - (right - left) / 2 + radius;
  const beyondY = Math.abs(y - (top + bottom) / 2) - (bottom - top) / 2 + radius;
  const outside = Math.hypot(Math.max(beyondX, 0), Math.max(beyondY, 0));
  return outside + Math.min(Math.max(beyondX, beyondY), 0) - radius;
}

function png(side: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits a channel; red, green, blue and opacity.
  header.set([8, 6], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
