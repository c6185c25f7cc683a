import type { Examples } from '../example.ts';

export const portalCredentialsExamples: Examples = {
  putPortalCredentialsName: {
    made: {
      summary: 'A token that is sent to one host alone',
      params: { name: 'pets' },
      body: { secret: 'the-token-itself', hosts: ['pets.example.com'] },
      status: 201,
      answer: { name: 'pets', outcome: 'created' },
    },
    rotated: {
      summary: 'Another token in its place',
      params: { name: 'pets' },
      body: { secret: 'the-next-token', hosts: ['pets.example.com'] },
      status: 200,
      answer: { name: 'pets', outcome: 'changed' },
    },
  },
  getPortalCredentials: {
    all: {
      summary: 'The credentials of a tenant',
      status: 200,
      answer: {
        credentials: [
          {
            name: 'pets',
            username: null,
            hosts: ['pets.example.com'],
            createdAt: '2026-03-02T10:04:32.000Z',
            updatedAt: '2026-03-02T10:04:51.000Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
      },
    },
  },
  deletePortalCredentialsName: {
    pets: { summary: 'A credential that no connector lists any more', params: { name: 'pets' }, status: 204 },
  },
};
