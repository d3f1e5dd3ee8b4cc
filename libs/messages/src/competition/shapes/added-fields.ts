/** Fields that reads add to a stored document where they are asked for. */
export const expandedFields = ['game_data', 'organizer_data'] as const;

/** Fields that reads add to an entry of a ranking. */
export const rankedFields = ['position'] as const;
