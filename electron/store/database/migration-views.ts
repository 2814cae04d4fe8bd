import type { Migration } from './migration.ts';

/** Moves the views of the tracking screen into the table that all screens share. */
const sql = `
-- Names of tracking_views were not unique: the second "Lease" becomes "Lease (2)", or gets the next number that makes no name of another view.
INSERT INTO views (id, screen, name, content)
WITH RECURSIVE
  numbered (id, name, view, n) AS (
    SELECT id, name, view, row_number() OVER (PARTITION BY name COLLATE NOCASE ORDER BY id) FROM tracking_views
  ),
  suffixes (k) AS (SELECT 2 UNION ALL SELECT k + 1 FROM suffixes WHERE k <= (SELECT 2 * count(*) FROM tracking_views)),
  free (base, k, n) AS (
    SELECT twice.name, k, 1 + row_number() OVER (PARTITION BY twice.id ORDER BY k)
    FROM numbered AS twice, suffixes
    WHERE twice.n = 2 AND NOT EXISTS (
      SELECT 1 FROM tracking_views AS taken WHERE taken.name = twice.name || ' (' || k || ')' COLLATE NOCASE
    )
  )
SELECT
  iif(EXISTS (SELECT 1 FROM views WHERE views.id = numbered.id), lower(hex(randomblob(16))), numbered.id),
  'tracking', iif(free.k IS NULL, name, name || ' (' || free.k || ')'), view
FROM numbered LEFT JOIN free ON free.base = numbered.name COLLATE NOCASE AND free.n = numbered.n;
DROP TABLE tracking_views;
`;

export const viewsMigration: Migration = { version: 8, sql };
