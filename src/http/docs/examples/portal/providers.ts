import type { Examples } from '../example.ts';

const put = {
  provider: 'custom',
  baseUrl: 'https://llm.example.com/v1',
  apiKey: 'the-key-itself',
  defaults: { temperature: 0.2 },
  fallbacks: [{ provider: 'openai', model: 'gpt-4.1-mini' }],
  timeout: 10,
};

const stored = {
  definition: {
    version: 1,
    name: 'gateway',
    ...put,
    apiKey: 'set',
    capabilities: {},
    allowPrivateNetwork: false,
    allowPrivateImages: false,
    strict: false,
  },
  testModel: null,
  createdAt: '2026-03-02T10:05:11.000Z',
  updatedAt: '2026-03-02T10:05:11.000Z',
};

const works = {
  provider: 'custom',
  providerName: 'gateway',
  model: 'qwen3',
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
      summary: 'A gateway, with a fallback on the key of the environment',
      params: { name: 'gateway' },
      headers: { 'if-none-match': '*' },
      body: put,
      status: 201,
      answer: stored,
    },
    changed: {
      summary: 'Another timeout; the key is left out and stays',
      params: { name: 'gateway' },
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
    gateway: {
      summary: 'A definition, without its key',
      params: { name: 'gateway' },
      answer: { ...stored, definition: { ...stored.definition, timeout: 20 } },
    },
  },
  getPortalProvidersNameModels: {
    one: {
      summary: 'The price table knows no model at this address',
      params: { name: 'gateway' },
      query: { search: 'qwen' },
      answer: {
        models: [],
        total: 0,
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
    works: {
      summary: 'A key that works',
      params: { name: 'gateway' },
      body: { model: 'qwen3' },
      answer: works,
    },
    refused: {
      summary: 'A key that is not accepted',
      params: { name: 'gateway' },
      body: { model: 'qwen3' },
      answer: {
        ...works,
        works: false,
        reason: 'key',
        message:
          'gateway does not accept the key. Replace it, or give it the right. It answered 401: Incorrect API key provided.',
        usage: null,
        cost: null,
      },
    },
  },
  postPortalProvidersVendorsVendorTest: {
    none: {
      summary: 'No key in the environment',
      params: { vendor: 'openai' },
      body: { model: 'gpt-4.1-nano' },
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
    gateway: { summary: 'A provider that nothing falls back on', params: { name: 'gateway' } },
  },
};
