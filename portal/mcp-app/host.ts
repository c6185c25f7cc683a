/** The members of the host's context that the view uses. */
export interface HostContext {
  theme?: 'light' | 'dark';
  /** A BCP 47 tag. */
  locale?: string;
  /** An IANA name. */
  timeZone?: string;
}

export interface ToolResult {
  isError?: boolean;
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
}

/** The handlers of the host's notifications, by method. */
export type Notified = ReadonlyMap<string, (params: never) => void>;

interface Message {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message?: string };
}

const PROTOCOL_VERSION = '2026-01-26';
const TIMEOUT_MS = 60_000;
const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };

/** Requests of the host that need no action, only an empty result. */
const ACKNOWLEDGED = new Set(['ping', 'ui/resource-teardown']);

/** The host of an MCP App: JSON-RPC 2.0 with the parent window. */
export class Host {
  private readonly notified: Notified;
  private readonly waiting = new Map<unknown, (answer: Message) => void>();
  private lastId = 0;

  constructor(notified: Notified) {
    this.notified = notified;
    window.addEventListener('message', ({ source, data }) => {
      if (source === window.parent && data?.jsonrpc === '2.0') this.receive(data);
    });
  }

  /** The handshake. Resolves with the host's context. */
  async connect(appInfo: { name: string; version: string }): Promise<HostContext> {
    const appCapabilities = { availableDisplayModes: ['inline'] };
    const asked = { protocolVersion: PROTOCOL_VERSION, appInfo, appCapabilities };
    const { hostContext = {} } = await this.request<{ hostContext?: HostContext }>('ui/initialize', asked);
    this.notify('ui/notifications/initialized', {});
    return hostContext;
  }

  callTool(name: string, input: object): Promise<ToolResult> {
    return this.request('tools/call', { name, arguments: input });
  }

  notify(method: string, params: object): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  private request<Result>(method: string, params: object): Promise<Result> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error('The host did not answer in time.'));
      }, TIMEOUT_MS);
      this.waiting.set(id, ({ result, error }) => {
        clearTimeout(timeout);
        if (error) reject(new Error(error.message ?? 'The host rejected the request.'));
        else resolve((result ?? {}) as Result);
      });
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  private receive(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) {
      this.waiting.get(id)?.(message);
      this.waiting.delete(id);
    } else if (id === undefined) {
      this.notified.get(method)?.((params ?? {}) as never);
    } else {
      const answer = ACKNOWLEDGED.has(method) ? { result: {} } : { error: METHOD_NOT_FOUND };
      this.send({ jsonrpc: '2.0', id, ...answer });
    }
  }

  /** Posts to any origin: the host's origin is unknown, and no message is secret. */
  private send(message: Message): void {
    window.parent.postMessage(message, '*');
  }
}
