import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { PROVIDER_VARIABLES } from './core/agents/providers/environment.ts';
import { networkSchema, trustedProxySchema } from './core/base/network/addresses.ts';
import { invalid } from './core/base/shared/errors.ts';
import { DURATION, durationMs } from './core/base/time/units.ts';
import { bucketUrlProblem } from './core/bucket-url.ts';
import { mailServerProblem, parseMailbox } from './core/watch/deliveries/mail.ts';
import { LEAST_BYTES, type ProcessMemory, processMemory } from './memory/budget.ts';

export const CONFIG_FILE = 'agent-runtime.config.json';

const list = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]);

const number = (minimum: number, maximum = Number.POSITIVE_INFINITY) => z.coerce.number().min(minimum).max(maximum);
const whole = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) => z.coerce.number().int().min(minimum).max(maximum);
const secret = (length: number) => z.string().min(length, `It must have at least ${length} characters.`);
const size = (minimum: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?\s?(MB|GB)$/i, { error: 'must look like 512MB or 2GB', abort: true })
    .transform((text) => Math.round(Number.parseFloat(text) * (/GB$/i.test(text) ? 1e9 : 1e6)))
    .refine((bytes) => bytes >= minimum, `must be at least ${minimum / 1e6}MB`);
const webAddress = z.url({ protocol: /^https?$/, error: 'It must look like http://127.0.0.1:3000.' });
/** With plenty of memory, and the least with which events and queries work side by side. */
const QUERY_BYTES = 400e6;
const QUERY_LEAST_BYTES = 64e6;
const PORT_ERROR = 'It must be a whole number from 0 to 65535.';

const settings = {
  port: z.coerce
    .number(PORT_ERROR)
    .int(PORT_ERROR)
    .min(0, PORT_ERROR)
    .max(65_535, PORT_ERROR)
    .default(3000)
    .describe('TCP port; 0 takes a free one.'),
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  dataDir: z.string().min(1).default('./data').describe('The data directory, with everything that is stored.'),
  databaseUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'It must look like postgres://user:password@db.example.com/agent_runtime.')
    .optional()
    .describe(
      'PostgreSQL 16 or newer, for nodes that share everything: `postgres://user:password@host/database?sslmode=verify-full`. It needs AGENT_RUNTIME_CLICKHOUSE_URL, AGENT_RUNTIME_UPLOADS_URL and AGENT_RUNTIME_SECRET_KEY; without these four, everything is in files.',
    ),
  clickhouseUrl: webAddress
    .optional()
    .describe('ClickHouse for the events of nodes: `https://user:password@host:8443/database`.'),
  publicUrl: webAddress
    .optional()
    .describe('The address that clients use, when it differs, behind a proxy for example.'),
  tlsCertificate: z
    .string()
    .min(1)
    .optional()
    .describe(
      'PEM file with the certificate of the server and the intermediate ones: `serve` then speaks HTTPS. It is read again when it changes.',
    ),
  tlsKey: z
    .string()
    .min(1)
    .optional()
    .describe('PEM file with the key of AGENT_RUNTIME_TLS_CERTIFICATE, not encrypted.'),
  trustedProxies: list
    .pipe(z.array(trustedProxySchema))
    .default([])
    .describe(
      'Addresses and networks of proxies (10.0.0.7, 10.0.0.0/8, fd00::/8) whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted; those of other peers are ignored.',
    ),
  allowedHosts: list
    .default([])
    .describe(
      'Host names that requests may use, in addition to loopback names, IP addresses and the host of the public URL.',
    ),
  allowedOrigins: list
    .default([])
    .describe(
      'Origins of web pages, https://app.example.com for example, that may call the API and /mcp and read their responses.',
    ),
  frameOrigins: list
    .pipe(
      z.array(
        z
          .string()
          .refine(
            (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.origin === text,
            'It must be an origin such as https://wiki.example.com.',
          ),
      ),
    )
    .default([])
    .describe(
      'Origins whose pages may frame shared dashboards, https://wiki.example.com for example; without them, none.',
    ),
  rateLimit: whole(0)
    .default(6_000)
    .describe(
      'Requests a minute for each key, each portal user and each tenant; 0 turns the limits off, also that of invalid keys.',
    ),
  dedupDays: number(0.00001, 3_650).default(30).describe("Days for which a caller's event id is remembered."),
  queryTimeout: number(0.01, 600)
    .default(10)
    .describe('Seconds that a query may run, and that it may wait before it runs.'),
  memory: size(LEAST_BYTES)
    .optional()
    .describe(
      'Memory that the server may take, 512MB for example; every part has its share of it. Without it, the limit of the container, else half of the memory of the machine, at most 1GB.',
    ),
  queryMemory: size(QUERY_LEAST_BYTES)
    .optional()
    .describe('Memory that all queries together may use, in place of their share of AGENT_RUNTIME_MEMORY.'),
  backlog: number(1)
    .default(256)
    .describe('Megabytes of accepted events that may wait to become queryable; then ingest answers 503.'),
  secretKey: secret(32)
    .optional()
    .describe(
      'Secret that the keys of portal sessions are derived from, and the key that wraps the key ring of stored secrets; without one, `secret.key` in the data directory, and a ring that the file system alone protects.',
    ),
  keyLifetime: z
    .string()
    .regex(DURATION, 'It must be a duration such as 12h, 90d or 1y.')
    .refine((text) => durationMs(text) !== 0, 'It must not be 0.')
    .optional()
    .describe(
      'The lifetime of new API keys created without an expiry date, 90d for example; only administrators may exceed it. Without it, keys never expire.',
    ),
  chatTimeout: number(0.01, 3_600)
    .default(300)
    .describe(
      'Seconds within which the first content of a chat must come, all attempts together; also the longest pause with keep-alives only.',
    ),
  chatRecording: z
    .enum(['full', 'metadata', 'off'])
    .default('full')
    .describe('What is recorded of chats: all, all but messages and output, or nothing.'),
  embedder: z
    .string()
    .regex(
      /^(none|hash|(openai|gemini|bedrock|compatible)\/\S+)$/,
      'It must be none, hash or a provider and its model, openai/text-embedding-3-small for example.',
    )
    .default('none')
    .describe(
      'The embedder of new stores: `none` (search by words), `openai/MODEL`, `gemini/MODEL`, `bedrock/MODEL`, `compatible/MODEL` (any server with the API of OpenAI) or `hash` (for trying, not semantic).',
    ),
  embeddingUrl: webAddress.optional().describe('Base address for `compatible`: http://127.0.0.1:11434/v1 for example.'),
  embeddingApiKey: z.string().min(1).optional().describe('Key for `compatible`, if its server requires one.'),
  uploadLimit: number(0.001, 65_536).default(2_048).describe('Largest size of a file to be ingested, in megabytes.'),
  uploadsUrl: z
    .string()
    .superRefine((text, context) => {
      const message = bucketUrlProblem(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .optional()
    .describe(
      'Bucket of nodes for files that wait to be ingested, in S3 or a server with its API: `s3://KEY:SECRET@bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1`. Without a key in it, the variables, profiles and roles of AWS count.',
    ),
  ingestThreads: whole(1, 64)
    .default(2)
    .describe(
      'Files of one tenant that are ingested at once, each in a thread; one more thread is reserved for other tenants.',
    ),
  environment: z
    .enum(['staging', 'production'], 'It must be staging or production.')
    .optional()
    .describe(
      'The environment of connector calls that name none: `staging` or `production`; without it, as each definition says.',
    ),
  smtpUrl: z
    .string()
    .superRefine((text, context) => {
      const message = mailServerProblem(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .optional()
    .describe(
      'Mail server for alerts and digests, `smtp://user:password@mail.example.com:587`, which uses STARTTLS where it is offered and always with a password, or `smtps://mail.example.com`; without one, no e-mail is sent.',
    ),
  smtpFrom: z
    .string()
    .refine(
      (text) => parseMailbox(text) !== null,
      'It must look like alerts@example.com or Alerts <alerts@example.com>.',
    )
    .optional()
    .describe('Sender of e-mails, `Alerts <alerts@example.com>` for example.'),
  mailDomains: list
    .pipe(
      z.array(
        z
          .string()
          .regex(/^(\*|[a-z0-9-]+(\.[a-z0-9-]+)*)$/i, 'It must look like example.com, or be * for any.')
          .toLowerCase(),
      ),
    )
    .default([])
    .describe(
      'Domains (example.com, or * for any) that e-mails may be sent to, beside the active users of the tenant; without it, the domain of AGENT_RUNTIME_SMTP_FROM.',
    ),
  alertNetworks: list
    .pipe(z.array(networkSchema))
    .default([])
    .describe(
      'Private networks (10.1.0.0/16, fd00::/8, 127.0.0.0/8 for this machine) that alerts and digests may be sent to by webhook or Slack; without them, public addresses alone.',
    ),
  identityNetworks: list
    .pipe(z.array(networkSchema))
    .default([])
    .describe(
      'Private networks (10.1.0.0/16, fd00::/8, 127.0.0.0/8 for this machine) in which identity providers of single sign-on and metadata documents of OAuth clients may be; without them, public addresses alone.',
    ),
  metricsToken: secret(16)
    .optional()
    .describe('Bearer token for /metrics; without one, /metrics answers this machine only.'),
  logLevel: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least severe level that is logged.'),
  apiKey: z.string().min(1).optional().describe('The key that `mcp`, `import`, `ingest` and `search` use.'),
  backupPassphrase: z
    .string()
    .min(1)
    .optional()
    .describe('Seals backups and opens them; with it, a backup has `secret.key`, too.'),
  url: webAddress.optional().describe('URL of a remote server that `mcp`, `import`, `ingest` and `search` use.'),
};

const configSchema = z.strictObject(settings);

/** Constants that no setting changes. */
export const FIXED = {
  /** log2 of scrypt's cost for the passphrase of a backup: a guess takes 128 MB and some 0.3 s. */
  backupWork: 17,
  /** The longest pause of a provider within an answer, in seconds. */
  chatIdle: 120,
  /** Chats that may be streamed at once with one key. */
  chatStreams: 256,
  /** Connections of one process to PostgreSQL. */
  databaseConnections: 10,
  /** Files of one tenant that may wait or be ingested; of all tenants, five times as many. */
  ingestQueue: 1_000,
  /** Requests at once after a pause. */
  rateLimitBurst: 1_000,
  /** Megabytes of query results that are cached until new events come. */
  resultCache: 16,
};

/** Where nodes keep what they share. */
export interface NodeUrls {
  databaseUrl: string;
  clickhouseUrl: string;
  uploadsUrl: string;
}

type Settings = z.output<typeof configSchema>;

export interface Config extends Omit<Settings, keyof NodeUrls | 'memory' | 'queryMemory'>, Readonly<typeof FIXED> {
  memory: ProcessMemory;
  /** Bytes. */
  queryMemory: number;
  /** Null where everything is in files of the data directory. */
  nodes: NodeUrls | null;
  /** Other variables; empty means unset. A function, so that logs show no values. */
  variable(name: string): string | undefined;
}
export type ConfigInput = { [Name in keyof typeof settings]?: unknown };

/** Hosting platforms set PORT and HOST. */
function variableOf(name: string): string {
  if (name === 'port' || name === 'host') return name.toUpperCase();
  return `AGENT_RUNTIME_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Precedence: flags, environment, configuration file, `preferred`, defaults. */
export function loadConfig(
  flags: ConfigInput = {},
  preferred: ConfigInput = {},
  environment: NodeJS.ProcessEnv = process.env,
): Config {
  const named = flags.dataDir ?? (environment[variableOf('dataDir')] || undefined);
  const input: Record<string, unknown> = { ...preferred, ...readConfigFile(named) };
  for (const name of Object.keys(settings)) {
    const variable = environment[variableOf(name)];
    if (variable !== undefined && variable !== '') input[name] = variable;
  }
  for (const [name, value] of Object.entries(flags)) if (value !== undefined) input[name] = value;
  const result = configSchema.safeParse(input);
  if (!result.success) throw invalid(...result.error.issues.map((issue) => explainSetting(issue, input)));
  const { dataDir, tlsCertificate, tlsKey, databaseUrl, clickhouseUrl, uploadsUrl, ...rest } = result.data;
  const memory = processMemory(rest.memory ?? null);
  for (const [one, other] of PAIRS) {
    if ((result.data[one] === undefined) === (result.data[other] === undefined)) continue;
    throw invalid(`Set both ${variableOf(one)} and ${variableOf(other)}, or neither.`);
  }
  return {
    ...rest,
    ...FIXED,
    memory,
    queryMemory: rest.queryMemory ?? Math.max(QUERY_LEAST_BYTES, Math.floor(QUERY_BYTES * memory.share)),
    nodes: nodesOf({ databaseUrl, clickhouseUrl, uploadsUrl, secretKey: rest.secretKey }),
    dataDir: resolve(dataDir),
    tlsCertificate: tlsCertificate && resolve(tlsCertificate),
    tlsKey: tlsKey && resolve(tlsKey),
    variable: (name) => environment[name]?.trim() || undefined,
  };
}

/** Each needs the other. */
const PAIRS = [
  ['tlsCertificate', 'tlsKey'],
  ['smtpUrl', 'smtpFrom'],
] as const;

function nodesOf(given: Pick<Settings, keyof NodeUrls | 'secretKey'>): NodeUrls | null {
  const { databaseUrl, clickhouseUrl, uploadsUrl } = given;
  const set = [databaseUrl, clickhouseUrl, uploadsUrl].filter((url) => url !== undefined);
  if (set.length === 0) return null;
  const needed = ['databaseUrl', 'clickhouseUrl', 'uploadsUrl', 'secretKey'] as const;
  const missing = needed.filter((name) => given[name] === undefined).map(variableOf);
  if (missing.length > 0) {
    const make = missing.includes(variableOf('secretKey'))
      ? ' All nodes share one key; `openssl rand -base64 32` makes one.'
      : '';
    throw invalid(
      `Also set ${missing.join(' and ')}: nodes need ${needed.map(variableOf).join(', ')} together. Without any of the three URLs, everything is in files of the data directory.${make}`,
    );
  }
  return { databaseUrl, clickhouseUrl, uploadsUrl } as NodeUrls;
}

export function providerEnvironment(): NodeJS.ProcessEnv {
  const names: readonly string[] = PROVIDER_VARIABLES;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.includes(name)));
}

/** Error messages never show their values. */
const SECRETS = new Set([
  'databaseUrl',
  'clickhouseUrl',
  'secretKey',
  'metricsToken',
  'apiKey',
  'backupPassphrase',
  'embeddingApiKey',
  'smtpUrl',
  'uploadsUrl',
]);

function explainSetting({ path, message, ...issue }: z.core.$ZodIssue, input: Record<string, unknown>): string {
  if (issue.code === 'unrecognized_keys') return `${CONFIG_FILE}: does not know ${issue.keys.join(', ')}`;
  const name = String(path[0]);
  const value = SECRETS.has(name) ? 'what it is set to' : JSON.stringify(input[name]);
  return `${name} (${variableOf(name)}): ${value} is not possible. ${message}`;
}

/** A test compares them with docs/configuration.md. */
export function describeSettings(): { name: string; variable: string; default: string; description: string }[] {
  const { properties = {} } = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, schema]) => {
    const { default: byDefault, description = '' } = schema as { default?: unknown; description?: string };
    const shown = Array.isArray(byDefault) ? byDefault.join(',') : byDefault;
    return { name, variable: variableOf(name), default: shown === undefined ? '' : String(shown), description };
  });
}

/** `dataDir`: as a flag or the environment names it. */
function readConfigFile(dataDir: unknown): Record<string, unknown> {
  if (!existsSync(CONFIG_FILE)) return {};
  refuseForeignFile(typeof dataDir === 'string' ? dataDir : null);
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(CONFIG_FILE, 'utf8')));
  } catch {
    throw invalid(`${CONFIG_FILE}: is not a JSON object`);
  }
}

/**
 * A file of another user decides nothing, unless it is the user of the service whose directory root
 * works in.
 */
function refuseForeignFile(dataDir: string | null): void {
  const self = process.geteuid?.();
  if (self === undefined) return;
  const service = self === 0 && dataDir !== null ? statSync(dataDir, { throwIfNoEntry: false })?.uid : undefined;
  for (const { uid } of [lstatSync(CONFIG_FILE), statSync(CONFIG_FILE)]) {
    if ([0, self, service].includes(uid)) continue;
    throw invalid(
      `${resolve(CONFIG_FILE)}: belongs to user ${uid}, and this process runs as user ${self}. It is read if it belongs to the same user or root: run \`chown ${self} ${CONFIG_FILE}\` if you trust it, or work in another directory.`,
    );
  }
}
