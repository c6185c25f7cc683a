import { Link } from '@tanstack/react-router';
import { basePath } from '../api/client.ts';
import { Icon } from '../ui/icon.tsx';

export function Navigation() {
  return (
    <nav className="navigation" aria-label="Main">
      <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
        <Icon name="dashboard" />
        Dashboards
      </Link>
      <Link to="/events" activeOptions={{ exact: true, includeSearch: false }}>
        <Icon name="events" />
        Events
      </Link>
      <Link to="/events/query" className="nested" activeOptions={{ includeSearch: false }}>
        Table
      </Link>
      <Link to="/events/aggregate" className="nested" activeOptions={{ includeSearch: false }}>
        KPI
      </Link>
      <Link to="/connect" activeOptions={{ includeSearch: false }}>
        <Icon name="plug" />
        Connect
      </Link>
      <a href={`${basePath}docs`}>
        <Icon name="code" />
        API reference
      </a>
    </nav>
  );
}
