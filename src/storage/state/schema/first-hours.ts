/** Which steps of the first hour each tenant has reached, and who put its checklist away. */
export const FIRST_HOURS = [
  `CREATE TABLE first_hours (
    tenant_id text NOT NULL REFERENCES tenants (id),
    name text NOT NULL,
    at bigint NOT NULL,
    details text,
    PRIMARY KEY (tenant_id, name)
  )`,
  // Workspaces that have cards from before are beyond their first hour.
  `INSERT INTO first_hours (tenant_id, name, at, details)
    SELECT tenants.id, steps.name, tenants.created_at, NULL
    FROM tenants CROSS JOIN
      (SELECT 'event' AS name UNION ALL SELECT 'client' UNION ALL SELECT 'question' UNION ALL SELECT 'card') AS steps
    WHERE EXISTS (SELECT 1 FROM dashboard_cards WHERE dashboard_cards.tenant_id = tenants.id)`,
];
