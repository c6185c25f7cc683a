import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { Section } from '../../src/workers/format.ts';
import { pdf } from '../../src/workers/formats/pdf.ts';
import { CSV_OPTIONS } from './bench.ts';

/* A thread that reads PDFs: with our reader, or with pdf.js. */

export interface PdfThread {
  reader: 'ours' | 'pdfjs';
  engines: string;
}

export interface PdfRead {
  milliseconds: number;
  /** Of each page. */
  texts: string[];
}

const { reader, engines } = workerData as PdfThread;
const read = reader === 'ours' ? withOurs : await pdfjsReader();

parentPort!.on('message', async (path: string) => {
  const started = performance.now();
  const texts = await read(path);
  parentPort!.postMessage({ milliseconds: performance.now() - started, texts } satisfies PdfRead);
});

async function withOurs(path: string): Promise<string[]> {
  const options = { ...CSV_OPTIONS, format: 'pdf' } as const;
  const texts: string[] = [];
  for await (const section of pdf.read(await pdf.prepare(path, options), null, options)) {
    texts.push((section as Section).content as string);
  }
  return texts;
}

/** With its maps of Chinese, Japanese and Korean, without which it silently finds nothing of these. */
async function pdfjsReader(): Promise<(path: string) => Promise<string[]>> {
  const module = createRequire(join(engines, 'package.json')).resolve('pdfjs-dist/legacy/build/pdf.mjs');
  const root = dirname(dirname(dirname(module)));
  const { getDocument } = await import(pathToFileURL(module).href);
  return async (path) => {
    const loading = getDocument({
      data: new Uint8Array(readFileSync(path)),
      cMapUrl: `${join(root, 'cmaps')}/`,
      cMapPacked: true,
      standardFontDataUrl: `${join(root, 'standard_fonts')}/`,
      verbosity: 0,
    });
    const document = await loading.promise;
    const texts: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      texts.push(
        items.map(({ str, hasEOL }: { str: string; hasEOL: boolean }) => (hasEOL ? `${str}\n` : str)).join(''),
      );
      page.cleanup();
    }
    await loading.destroy();
    return texts;
  };
}
