import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { t } from '../language/index.ts';

interface CasesLinkProps {
  /** `basis.cases` of an answer, or that of an alert's check. */
  cases: string | null | undefined;
  /** Follows other text on the line. */
  isInline?: boolean;
}

/** The way from a number to its events; nothing for an answer without a handle, or a user who may not see events. */
export function CasesLink({ cases, isInline = false }: CasesLinkProps) {
  const { can } = useSession();
  if (!cases || !can('events:read')) return null;
  return (
    <>
      {isInline && ' · '}
      <Link to="/cases/$handle" params={{ handle: cases }} preload={false}>
        {t('Show the events')}
      </Link>
    </>
  );
}
