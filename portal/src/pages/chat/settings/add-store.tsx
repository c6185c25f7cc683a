import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { QueryFault } from '../../../ui/states.tsx';

const STORES = '/api/v1/runtime/v1/vectors/stores';

/** Chooses a vector store that the model may search. Without any, nothing is shown. */
export function AddStore({ known, onAdd }: { known: readonly string[]; onAdd(store: string): void }) {
  const { can } = useSession();
  const query = api.useQuery('get', STORES, {}, { enabled: can('knowledge:read') });
  const [chosen, setChosen] = useState('');
  const names = (query.data?.stores ?? []).map(({ name }) => name).filter((name) => !known.includes(name));
  if (query.error) return <QueryFault query={query} />;
  if (names.length === 0) return null;
  const value = names.includes(chosen) ? chosen : names[0]!;
  return (
    <div className="name-and-button">
      <SelectField
        label={t('Vector store')}
        value={value}
        options={names.map((name) => ({ value: name, label: name }))}
        onChoose={setChosen}
      />
      <Button icon="add" aria-label={t('Let the model search {name}', { name: value })} onClick={() => onAdd(value)}>
        {t('Add')}
      </Button>
    </div>
  );
}
