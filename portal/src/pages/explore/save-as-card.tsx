import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** Opens the builder with the question as a card; `card` is null if no card type can ask it. */
export function SaveAsCard({ card, why }: { card: object | null; why?: string }) {
  const { can } = useSession();
  if (!can('dashboards:write'))
    return <p className="small muted">{t('Your role may look at cards, not save them.')}</p>;
  if (card === null) return <p className="small muted">{why}</p>;
  return (
    <ButtonLink icon="dashboard" to="/cards/new" search={{ config: JSON.stringify(card) }} preload={false}>
      {t('Save as card')}
    </ButtonLink>
  );
}
