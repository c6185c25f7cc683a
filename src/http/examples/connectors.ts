import type { Examples } from './example.ts';

export const connectorsExamples: Examples = {
  postConnectorsConnector: {
    mocked: {
      summary: 'A call that a mock answers',
      params: { connector: 'pets' },
      query: { environment: 'production' },
      body: { resource: 'get-pet', data: { petId: 'p-1' }, options: { useMock: true } },
      status: 200,
      answer: {
        success: true,
        data: { id: 'p-1', name: 'Rex' },
        metadata: {
          connector: 'pets',
          resource: 'get-pet',
          environment: 'production',
          status: 200,
          duration: 0.4,
          attempts: 0,
          mocked: true,
          retrySafe: true,
        },
      },
    },
  },
};
