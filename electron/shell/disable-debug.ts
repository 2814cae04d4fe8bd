/**
 * Must be the first import of main.ts: libraries read DEBUG while they load, and the SOAP engine then prints whole
 * requests, including credentials. In development a person may ask for that; in an installed program nobody may.
 */
if (!process.defaultApp) delete process.env.DEBUG;
