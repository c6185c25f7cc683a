import { useSearch } from '@tanstack/react-router';
import { t } from '../../language/index.ts';
import { AskedField, ClearFilters } from '../../ui/filters.tsx';
import { useSetSearch } from '../../ui/use-set-search.ts';
import { CommonFilters } from '../reviews/filters.tsx';

const FILTERS = ['rating', 'status', 'priority', 'tag', 'from', 'to'];
const NONE = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

export function FilterFields({ isFiltered }: { isFiltered: boolean }) {
  const { tag = '' } = useSearch({ strict: false });
  const setSearch = useSetSearch();
  return (
    <search className="fields">
      <CommonFilters>
        <AskedField
          label={t('Tag')}
          type="search"
          maxLength={100}
          placeholder={t('Any tag')}
          value={tag}
          onAsk={(text) => setSearch({ tag: text })}
        />
      </CommonFilters>
      {isFiltered && (
        <div className="row">
          <ClearFilters onClear={() => setSearch(NONE)} />
        </div>
      )}
    </search>
  );
}
