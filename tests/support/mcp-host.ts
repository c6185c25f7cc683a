import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { build } from 'esbuild';
import type { Frame, Page } from 'playwright-core';
import type { TestApp } from './app.ts';
import { openPage, type PageOptions } from './browser.ts';

const PAGE = join(import.meta.dirname, '../portal/mcp-host/page.ts');
const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>
<style>body { margin: 8px } iframe { width: 600px; height: 150px; border: 1px solid #888 }</style>
<main><h1>Host</h1><iframe title="Card" sandbox="allow-scripts"></iframe></main>
<script type="module" src="/page.js"></script></html>`;

let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [PAGE],
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

/** Serves the page of a host of MCP Apps on an origin of its own. */
export async function serveMcpHost(t: TestContext): Promise<string> {
  bundled ??= bundle();
  const script = await bundled;
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    const isPage = request.url?.startsWith('/?') === true;
    response.writeHead(isScript || isPage ? 200 : 204, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : isPage ? HTML : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface ViewOptions extends Omit<PageOptions, 'origin' | 'expected'> {
  /** The width of the frame, in pixels. */
  width?: number;
  /** The context of the host. */
  context?: object;
}

export interface View {
  page: Page;
  frame: Frame;
  /** Calls a function of `window.host`, or reads another member. */
  // biome-ignore lint/suspicious/noExplicitAny: each has its own answer
  host(member: string, ...input: unknown[]): Promise<any>;
}

/** A view of the app in a host, after the handshake. */
export async function openView(
  t: TestContext,
  app: TestApp,
  origin: string,
  { width, context, ...options }: ViewOptions = {},
): Promise<View> {
  const mcp = `${app.url}/mcp`;
  // The host sends requests to the server, which answers 405 because it has no stream of notifications.
  const expected = new RegExp(`^request to ${mcp}$|status of 405`);
  const page = await openPage(t, { ...options, origin, expected });
  const asked = new URLSearchParams({ mcp, key: await app.newKey({ scopes: ['mcp:read'] }) });
  if (context) asked.set('context', JSON.stringify(context));
  if (width !== undefined) asked.set('width', String(width));
  await page.goto(`${origin}/?${asked}`);
  await page.waitForFunction('window.host !== undefined');
  const frame = page.frames().find((one) => one.parentFrame() !== null)!;
  const host: View['host'] = (member, ...input) =>
    page.evaluate(
      `(async () => { const member = window.host[${JSON.stringify(member)}]; return typeof member === 'function' ? await member(...${JSON.stringify(input)}) : member; })()`,
    );
  return { page, frame, host };
}
