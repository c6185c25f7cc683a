import { api, type Schemas } from '../../../api/client.ts';
import { Item, ItemList } from '../../../ui/item-list.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { useOperatorReason } from '../operator.ts';
import { numberOf, STORAGE, STORE_NAMES, sizeOf } from './words.ts';

type Storage = Schemas['Storage'];

/** The sizes of all stores of the installation, for its operator. */
export function Sizes() {
  const reason = useOperatorReason('sees');
  const query = api.useQuery('get', STORAGE, {}, { enabled: reason === undefined });
  if (reason !== undefined) return <p className="muted">{reason}</p>;
  const { data } = query;
  if (!data) return <QueryState query={query} height={520} />;
  return (
    <>
      <ItemList label="Stores">
        {data.stores.map((one) => (
          <Store key={one.store} {...one} />
        ))}
      </ItemList>
      {data.disk && (
        <p>
          {sizeOf(data.disk.freeBytes)} of {sizeOf(data.disk.totalBytes)} are free on the disk of{' '}
          <code>{data.place}</code>.
        </p>
      )}
    </>
  );
}

function Store({ store, bytes, count, counted, note }: Storage['stores'][number]) {
  return (
    <Item title={STORE_NAMES[store]} end={<span>{bytes === null ? 'Unknown' : sizeOf(bytes)}</span>}>
      {count !== null && (
        <p className="small muted">
          {numberOf(count)} {counted}
        </p>
      )}
      {note !== null && <p className="small muted">{note}</p>}
    </Item>
  );
}
