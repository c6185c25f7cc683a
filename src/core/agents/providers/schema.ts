import { z } from 'zod';
import { isPrivateUrl } from '../../base/network/addresses.ts';
import { type Capabilities, SERVER_TOOLS } from '../chat/capabilities.ts';
import { chatRequestSchema } from '../chat/schema.ts';
import { KEY_VARIABLES } from './environment.ts';
import { headerNamesSchema, secretSchema } from './secret-schema.ts';

const MAX_FALLBACKS = 5;

export const providerNameSchema = z.string().regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, -, _ or .');

const REMEDY = 'say "allowPrivateNetwork": true if the server is to reach it';

/** Messages never repeat the URL: it may contain secrets. */
const baseUrlSchema = z
  .string()
  .max(2_000)
  .superRefine((text, context) => {
    const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? URL.parse(text) : null;
    const report = (message: string) => context.addIssue({ code: 'custom', message });
    if (url === null) return report('must be an http or https URL such as http://localhost:11434/v1');
    if (url.username !== '' || url.password !== '') report('must not hold a user or password; use apiKey or headers');
    if (/[?#]/.test(text)) report('must have no query and no fragment');
  });

const { shape: request } = chatRequestSchema;

const defaultsSchema = chatRequestSchema.pick({
  temperature: true,
  maxTokens: true,
  topP: true,
  frequencyPenalty: true,
  presencePenalty: true,
  stop: true,
  seed: true,
  thinking: true,
  instructions: true,
  responseFormat: true,
});
export type ChatDefaults = z.output<typeof defaultsSchema>;

const isSupported = z.boolean().optional();

const capabilitiesSchema = z.strictObject({
  temperature: isSupported.describe('Whether it is taken.'),
  topP: isSupported.describe('Whether it is taken.'),
  frequencyPenalty: isSupported.describe('Whether it is taken.'),
  presencePenalty: isSupported.describe('Whether it is taken.'),
  seed: isSupported.describe('Whether it is taken.'),
  stop: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('The number of sequences that it takes; beyond them, the runtime cuts the answer.'),
  tools: isSupported.describe('Whether models can call functions.'),
  responseFormats: z
    .array(z.enum(['json_object', 'json_schema']))
    .optional()
    .describe('Formats of answers besides text.'),
  serverTools: z.array(z.enum(SERVER_TOOLS)).optional().describe('Tools that the provider itself runs.'),
  images: z.enum(['any', 'inline', 'none']).optional().describe('inline: only within the request.'),
  files: isSupported.describe('Whether files are taken.'),
  thinking: z.enum(['effort', 'budget', 'adaptive', 'none']).optional().describe('How it is told to reason.'),
  maxOutputTokens: z
    .int()
    .min(1)
    .max(10_000_000)
    .nullable()
    .optional()
    .describe('The most tokens of one answer; null: unknown.'),
  maxTokensName: z
    .enum(['max_completion_tokens', 'max_tokens'])
    .optional()
    .describe('The name of maxTokens in its API.'),
  streamUsage: isSupported.describe('Whether it takes stream_options.'),
} satisfies Record<keyof Capabilities, z.ZodType>);

const dollarsSchema = z.number().min(0).max(1_000_000);

const priceSchema = z.strictObject({
  inputPerMillion: dollarsSchema.describe('Price per million input tokens, in US dollars.'),
  outputPerMillion: dollarsSchema.describe('Price per million output tokens, in US dollars.'),
});

const fallbackSchema = z
  .strictObject({
    providerName: providerNameSchema
      .optional()
      .describe('A configured provider; without one, that of the environment.'),
    provider: request.provider,
    model: request.model,
  })
  .superRefine(({ provider, providerName }, context) => {
    if (provider !== 'custom' || providerName !== undefined) return;
    context.addIssue({ code: 'custom', path: ['providerName'], message: 'is required with custom' });
  });
export type Fallback = z.output<typeof fallbackSchema>;

/** `apiKey` and the values of `headers` are secrets. */
export const providerMembersSchema = z.strictObject({
  version: z
    .literal(1, 'must be 1, the only version that this program knows')
    .default(1)
    .describe('Version of this format.'),
  name: providerNameSchema.describe('What `providerName` names.'),
  provider: request.provider,
  baseUrl: baseUrlSchema.optional().describe("Where it is reached; without one, at the vendor's own address."),
  apiKey: secretSchema.optional().describe('The key itself, or {"env": "NAME"}.'),
  headers: headerNamesSchema
    .pipe(z.record(z.string(), secretSchema))
    .optional()
    .describe('Sent with every request; values as for apiKey.'),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/, 'must be a region such as eu-central-1')
    .optional()
    .describe('The AWS region; only for bedrock.'),
  defaults: defaultsSchema.default({}).describe('What a request that leaves them out is given.'),
  capabilities: capabilitiesSchema.default({}).describe('What its models can do, where it is known better.'),
  price: priceSchema.optional().describe('US dollars for a million tokens; without it, that of the public table.'),
  fallbacks: z.array(fallbackSchema).max(MAX_FALLBACKS).default([]).describe('Tried in this order.'),
  allowPrivateNetwork: z.boolean().default(false).describe('Whether addresses that are not public may be reached.'),
  allowPrivateImages: z
    .boolean()
    .default(false)
    .describe('Whether images, whose addresses callers choose, may be loaded from such addresses.'),
  strict: z
    .boolean()
    .default(false)
    .describe('Whether a parameter that cannot be honoured is refused with 400; otherwise it is dropped.'),
  timeout: z.number().min(0.01).max(600).optional().describe('Seconds to the first content, before a fallback.'),
});

export const providerDefinitionSchema = providerMembersSchema.superRefine(
  ({ provider, baseUrl, apiKey, region, allowPrivateNetwork }, context) => {
    const report = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (provider === 'custom' && baseUrl === undefined) report('baseUrl', 'is required with custom');
    if (provider !== 'bedrock' && region !== undefined) report('region', 'is for bedrock only');
    // Own servers may need no key; the AWS SDK finds its credentials.
    const needsKey = baseUrl === undefined && provider !== 'custom' && provider !== 'bedrock';
    if (needsKey && apiKey === undefined) {
      const [variable] = KEY_VARIABLES[provider];
      report('apiKey', `is required with ${provider}; {"env": "${variable}"} is the server's own`);
    }
    const url = baseUrl === undefined ? null : URL.parse(baseUrl);
    if (url && !allowPrivateNetwork && isPrivateUrl(url)) report('baseUrl', `is in a private network; ${REMEDY}`);
  },
);
export type ModelProviderDefinition = z.output<typeof providerDefinitionSchema>;
