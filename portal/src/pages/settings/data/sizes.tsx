import { api, type Schemas } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { Item, ItemList } from '../../../ui/item-list.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { useOperatorReason } from '../operator.ts';
import { STORAGE, STORES, sizeOf } from './words.ts';

type Storage = Schemas['Storage'];

/** The sizes of all stores of the installation, for its operator. */
export function Sizes() {
  const reason = useOperatorReason('see');
  const query = api.useQuery('get', STORAGE, {}, { enabled: reason === undefined });
  if (reason !== undefined) return <p className="muted">{reason}</p>;
  const { data } = query;
  if (!data) return <QueryState query={query} height={520} />;
  return (
    <>
      <ItemList label={t('Stores')}>
        {data.stores.map((one) => (
          <Store key={one.store} {...one} />
        ))}
      </ItemList>
      {data.disk && (
        <p>
          {t.nodes('{free} of {total} are free on the disk of {place}.', {
            free: sizeOf(data.disk.freeBytes),
            total: sizeOf(data.disk.totalBytes),
            place: <code>{data.place}</code>,
          })}
        </p>
      )}
    </>
  );
}

function Store({ store, bytes, count, note }: Storage['stores'][number]) {
  const { name, counted } = STORES[store];
  return (
    <Item title={name} end={<span>{bytes === null ? t('Unknown') : sizeOf(bytes)}</span>}>
      {count !== null && <p className="small muted">{counted(count)}</p>}
      {note !== null && <p className="small muted">{note}</p>}
    </Item>
  );
}
