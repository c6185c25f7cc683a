import { SqlSegmentStore } from '../../../../src/storage/state/sql/catalog/segments.ts';
import { testSegmentStore } from '../../../contracts/segment-store.ts';
import { storeBackends } from '../../../support/state.ts';

for (const backend of storeBackends((database) => new SqlSegmentStore(database))) testSegmentStore(backend);
