import type { Examples } from '../example.ts';

const put = {
  provider: 'anthropic',
  apiKey: 'the-key-itself',
  defaults: { temperature: 0.2 },
  fallbacks: [{ provider: 'openai', model: 'gpt-4.1-mini' }],
  timeout: 10,
};

const stored = {
  definition: {
    version: 1,
    name: 'support',
    ...put,
    apiKey: 'set',
    capabilities: {},
    allowPrivateNetwork: false,
    allowPrivateImages: false,
    strict: false,
  },
  testModel: 'claude-haiku-4-5',
  createdAt: '2026-03-02T10:05:11.000Z',
  updatedAt: '2026-03-02T10:05:11.000Z',
};

const works = {
  provider: 'anthropic',
  providerName: 'support',
  model: 'claude-haiku-4-5',
  works: true,
  reason: null,
  message: 'It works.',
  executionId: '0198a6f2-6c1e-7d30-a111-6f0c2b1d9e55',
  latencyMs: 640,
  usage: { inputTokens: 12, outputTokens: 4 },
  cost: 0.000032,
};

export const portalProvidersExamples: Examples = {
  putPortalProvidersName: {
    made: {
      summary: 'A key of a team, with a fallback on the key of the environment',
      params: { name: 'support' },
      headers: { 'if-none-match': '*' },
      body: put,
      status: 201,
      answer: stored,
    },
    changed: {
      summary: 'Another timeout; the key is left out and stays',
      params: { name: 'support' },
      body: { ...put, apiKey: undefined, timeout: 20 },
      answer: { ...stored, definition: { ...stored.definition, timeout: 20 } },
    },
  },
  getPortalProviders: {
    all: {
      summary: 'Vendors and definitions, shortened to one of each',
      answer: {
        vendors: [
          {
            provider: 'openai',
            key: 'environment',
            variable: 'OPENAI_API_KEY',
            problem: null,
            variables: ['OPENAI_API_KEY'],
            providerNames: [],
            testModel: 'gpt-4.1-nano',
          },
        ],
        providers: [stored],
      },
    },
  },
  getPortalProvidersName: {
    support: {
      summary: 'A definition, without its key',
      params: { name: 'support' },
      answer: { ...stored, definition: { ...stored.definition, timeout: 20 } },
    },
  },
  getPortalProvidersNameModels: {
    one: {
      summary: 'A model of the vendor',
      params: { name: 'support' },
      query: { search: 'claude-haiku-4-5' },
      answer: {
        models: [
          {
            id: 'claude-haiku-4-5',
            name: 'Claude Haiku 4.5',
            contextTokens: 200_000,
            inputPerMillion: 1,
            outputPerMillion: 5,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
      },
    },
  },
  getPortalProvidersVendorsVendorModels: {
    one: {
      summary: 'A model of the vendor',
      params: { vendor: 'openai' },
      query: { search: 'gpt-4.1-nano' },
      answer: {
        models: [
          {
            id: 'gpt-4.1-nano',
            name: 'gpt 4.1 nano',
            contextTokens: 1_000_000,
            inputPerMillion: 0.1,
            outputPerMillion: 0.4,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
      },
    },
  },
  postPortalProvidersNameTest: {
    works: { summary: 'A key that works', params: { name: 'support' }, answer: works },
    refused: {
      summary: 'A key that is not accepted',
      params: { name: 'support' },
      body: { model: 'claude-haiku-4-5' },
      answer: {
        ...works,
        works: false,
        reason: 'key',
        message:
          'support does not accept the key. Replace it, or give it the right. It answered 401: Incorrect API key provided.',
        usage: null,
        cost: null,
      },
    },
  },
  postPortalProvidersVendorsVendorTest: {
    none: {
      summary: 'No key in the environment',
      params: { vendor: 'openai' },
      answer: {
        ...works,
        provider: 'openai',
        providerName: null,
        model: 'gpt-4.1-nano',
        works: false,
        reason: 'key',
        message:
          'provider: no key for openai is configured. Set OPENAI_API_KEY, or name a provider that `providers apply` installed.',
        executionId: null,
        latencyMs: null,
        usage: null,
        cost: null,
      },
    },
  },
  deletePortalProvidersName: {
    support: { summary: 'A provider that nothing falls back on', params: { name: 'support' } },
  },
};
