import type { TestContext } from 'node:test';
import type { PictureOptions } from '../../src/core/analytics/dashboards/pictures.ts';
import type { RenderedCard } from '../../src/core/analytics/dashboards/render.ts';
import { Pictures } from '../../src/pictures/pictures.ts';

export const USUAL: PictureOptions = {
  width: 640,
  height: 360,
  scale: 1,
  theme: 'light',
  locale: 'en',
  tenantId: 'acme',
};

export function cardTitled(title: string): RenderedCard {
  return {
    card: { id: 'card', title, cardType: 'number' },
    data: { value: 1, formatted: '1' },
    basis: {
      agentId: null,
      filters: [],
      from: null,
      to: null,
      timezone: 'UTC',
      matchedEvents: 1,
      lastEventAt: null,
      eventName: 'order',
      aggregation: 'count',
    },
  };
}

export function newPictures(t: TestContext): Pictures {
  const pictures = new Pictures();
  t.after(() => pictures.close());
  return pictures;
}

/** Reads the size from the header of a PNG. */
export function sizeOf(png: Uint8Array): [width: number, height: number] {
  const bytes = Buffer.from(png);
  if (bytes.toString('latin1', 1, 4) !== 'PNG') throw new Error('not a PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

export const withoutText = (svg: string) => svg.replace(/<text\b[\s\S]*?<\/text>/g, '');
