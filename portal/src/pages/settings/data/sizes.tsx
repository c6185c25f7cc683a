import { api, type Schemas } from '../../../api/client.ts';
import { QueryState } from '../../../ui/states.tsx';
import { useOperatorReason } from '../operator.ts';
import { numberOf, STORAGE, STORE_NAMES, sizeOf } from './words.ts';

type Storage = Schemas['Storage'];

/** The sizes of all stores of the installation, for its operator. */
export function Sizes() {
  const reason = useOperatorReason();
  const query = api.useQuery('get', STORAGE, {}, { enabled: reason === undefined });
  if (reason !== undefined) return <p className="muted">{reason}</p>;
  const { data } = query;
  if (!data) return <QueryState query={query} what="the sizes" height={320} />;
  return (
    <>
      <section className="scroll" aria-label="Table of sizes" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Store</th>
              <th scope="col" className="number">
                Size
              </th>
              <th scope="col">Has</th>
            </tr>
          </thead>
          <tbody>
            {data.stores.map((one) => (
              <Store key={one.store} {...one} />
            ))}
          </tbody>
        </table>
      </section>
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
    <tr>
      <th scope="row">{STORE_NAMES[store]}</th>
      <td className="number">{bytes === null ? '–' : sizeOf(bytes)}</td>
      <td>
        {count !== null && `${numberOf(count)} ${counted}`}
        {note !== null && <span className="muted">{note}</span>}
      </td>
    </tr>
  );
}
