/** Why a path of certificates, or what is known about one, does not count. The message is one English sentence. */
export class Refusal extends Error {}
