import { serveWorker } from '../../core/foundation/worker-channel.ts';
import { openSql } from '../database/sql.ts';
import { type Counted, type DocumentQuery, findDocuments, type Page } from './document-search.ts';
import type { StoredDocument } from './stored-document.ts';

const counted: Counted = { key: '', total: 0 };

const actions = {
  /** The file is open for this question only: its program can close it as the last one. `version` says whether a number that was counted before still holds. */
  find(path: string, query: DocumentQuery, version: string): Page<StoredDocument> {
    const sql = openSql(path);
    try {
      return findDocuments(sql, query, counted, version);
    } finally {
      sql.close();
    }
  },
};

export type SearchActions = typeof actions;

serveWorker(actions);
