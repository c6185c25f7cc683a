import type { Examples } from './example.ts';

const answered = {
  connector: 'shipping',
  environment: 'production',
  status: 200,
  duration: 0.4,
  retrySafe: true,
} as const;

export const connectorsExamples: Examples = {
  postConnectorsConnector: {
    flat: {
      summary: 'Where a parcel is: each member is put where the resource has it',
      params: { connector: 'shipping' },
      body: { resource: 'getParcel', data: { parcelId: 'BR-7781', language: 'pt' }, options: { useMock: true } },
      answer: {
        success: true,
        data: { parcelId: 'BR-7781', status: 'in transit', expected: '2026-03-04' },
        metadata: { ...answered, resource: 'getParcel', attempts: 0, mocked: true },
      },
    },
    structured: {
      summary: 'A pickup is ordered, with data by place',
      params: { connector: 'shipping' },
      query: { environment: 'staging' },
      body: {
        resource: 'orderPickup',
        data: { path: { parcelId: 'BR-7781' }, body: { date: '2026-03-05' }, headers: { 'accept-language': 'pt' } },
        options: { useMock: true, timeout: 5_000 },
      },
      answer: {
        success: true,
        data: { pickupId: 'P-12' },
        metadata: {
          ...answered,
          environment: 'staging',
          resource: 'orderPickup',
          status: 201,
          attempts: 0,
          mocked: true,
        },
      },
    },
  },
};
