import type { Examples } from '../example.ts';

const summary = {
  slug: 'pets',
  name: 'Pet store',
  environments: ['production'],
  resources: 1,
  createdAt: '2026-03-02T10:04:11.000Z',
  updatedAt: '2026-03-02T10:04:11.000Z',
};

const shipping = {
  slug: 'shipping',
  name: 'Shipping',
  environments: ['staging', 'production'],
  resources: 2,
  createdAt: '2026-03-02T09:36:12.000Z',
  updatedAt: '2026-03-02T09:36:12.000Z',
};

const put = {
  name: 'Pet store',
  environments: { production: { baseUrl: 'https://pets.example.com/v1', secret: { credential: 'pets' } } },
  auth: { type: 'bearer' },
  credentials: ['pets'],
  resources: {
    'get-pet': {
      method: 'GET',
      path: '/pets/{petId}',
      parameters: { path: { type: 'object', properties: { petId: { type: 'string' } } } },
      mock: { body: { id: 'p-1', name: 'Rex' } },
    },
  },
};

const definition = {
  version: 1,
  slug: 'pets',
  ...put,
  headers: {},
  timeoutMs: 30_000,
  maxResponseBytes: 5_242_880,
  maxConcurrent: 64,
  retry: { attempts: 3, statuses: [429, 502, 503, 504] },
  followRedirects: false,
  allowPrivateNetworks: [],
  resources: {
    'get-pet': {
      ...put.resources['get-pet'],
      bodyType: 'json',
      mock: { status: 200, body: { id: 'p-1', name: 'Rex' } },
      exposeAsTool: false,
    },
  },
};

export const portalConnectorsExamples: Examples = {
  putPortalConnectorsSlug: {
    made: {
      summary: 'A connector whose credential is still to be set',
      params: { slug: 'pets' },
      body: put,
      status: 201,
      answer: { slug: 'pets', outcome: 'created', missingCredentials: ['pets'] },
    },
    known: {
      summary: 'The same connector once more',
      params: { slug: 'pets' },
      body: put,
      answer: { slug: 'pets', outcome: 'unchanged', missingCredentials: ['pets'] },
    },
  },
  getPortalConnectors: {
    all: {
      summary: 'The connectors of a tenant',
      answer: { connectors: [summary, shipping], total: 2, limit: 50, offset: 0 },
    },
  },
  getPortalConnectorsSlug: {
    pets: {
      summary: 'A connector with its whole definition',
      params: { slug: 'pets' },
      answer: { definition, createdAt: '2026-03-02T10:04:11.000Z', updatedAt: '2026-03-02T10:04:11.000Z' },
    },
  },
  deletePortalConnectorsSlug: {
    pets: { summary: 'A connector that is not called any more', params: { slug: 'pets' } },
  },
};

export const portalCredentialsExamples: Examples = {
  putPortalCredentialsName: {
    made: {
      summary: 'A token that is sent to one host alone',
      params: { name: 'pets' },
      headers: { 'if-none-match': '*' },
      body: { secret: 'the-token-itself', hosts: ['pets.example.com'] },
      status: 201,
      answer: { name: 'pets', outcome: 'created' },
    },
    rotated: {
      summary: 'Another token in its place',
      params: { name: 'pets' },
      body: { secret: 'the-next-token', hosts: ['pets.example.com'] },
      answer: { name: 'pets', outcome: 'changed' },
    },
  },
  getPortalCredentials: {
    all: {
      summary: 'The credentials of a tenant',
      answer: {
        credentials: [
          {
            name: 'pets',
            username: null,
            hosts: ['pets.example.com'],
            connectors: [],
            createdAt: '2026-03-02T10:04:32.000Z',
            updatedAt: '2026-03-02T10:04:51.000Z',
            lastUsedAt: null,
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
      },
    },
  },
  deletePortalCredentialsName: {
    pets: { summary: 'A credential that no connector lists any more', params: { name: 'pets' } },
  },
};
