import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  getToolUiResourceUri,
  type McpUiHostContext,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge';

/*
 * The page of a host of MCP Apps, with the protocol's own classes: `?mcp=ADDRESS&key=KEY&card=ID&context=JSON&width=PIXELS`.
 * Tests call the functions of `window.host`.
 */

const TOOL = 'render_dashboard_card';
/** The CSP that the specification prescribes for a view that declares no origins. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  ...["img-src 'self' data:", "media-src 'self' data:", "connect-src 'none'"],
  ...["frame-src 'none'", "object-src 'none'", "base-uri 'self'"],
].join('; ');

let held = Promise.resolve();
let release = () => {};
const heldFetch: typeof fetch = async (...request) => {
  await held;
  return fetch(...request);
};

const asked = new URLSearchParams(location.search);
const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const client = new Client({ name: 'test-host', version: '1.0.0' }, { capabilities });
const requestInit = { headers: { 'x-api-key': asked.get('key')! } };
await client.connect(new StreamableHTTPClientTransport(new URL(asked.get('mcp')!), { requestInit, fetch: heldFetch }));

const { tools } = await client.listTools();
const uri = getToolUiResourceUri(tools.find(({ name }) => name === TOOL)!)!;
const [content] = (await client.readResource({ uri })).contents;
if (!content || !('text' in content)) throw new Error(`${uri} has no text`);

const frame = document.querySelector('iframe')!;
if (asked.has('width')) frame.style.width = `${asked.get('width')}px`;
const host = new AppBridge(
  client,
  { name: 'test-host', version: '1.0.0' },
  { serverTools: {} },
  { hostContext: JSON.parse(asked.get('context') ?? '{}') as McpUiHostContext },
);
const sizes: { width?: number; height?: number }[] = [];
host.addEventListener('sizechange', (size) => {
  sizes.push(size);
  if (size.height !== undefined) frame.style.height = `${size.height}px`;
});
const initialized = new Promise<void>((resolve) => {
  host.addEventListener('initialized', () => resolve());
});

await host.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
frame.srcdoc = content.text.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
await initialized;

Object.assign(window, {
  host: {
    sizes,
    content: { uri: content.uri, mimeType: content.mimeType, meta: content._meta },
    app: host.getAppVersion(),
    call: async (cardId: string) => {
      await host.sendToolInput({ arguments: { cardId } });
      await host.sendToolResult(await client.callTool({ name: TOOL, arguments: { cardId } }));
    },
    callTab: async (tab: string) => {
      await host.sendToolInput({ arguments: { tab } });
      await host.sendToolResult(await client.callTool({ name: TOOL, arguments: { tab } }));
    },
    send: (result: Parameters<typeof host.sendToolResult>[0]) => host.sendToolResult(result),
    cancel: () => host.sendToolCancelled({ reason: 'user action' }),
    setContext: (context: McpUiHostContext) => host.setHostContext(context),
    teardown: () => host.teardownResource({}),
    hold: () => {
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
  },
});
