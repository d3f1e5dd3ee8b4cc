curl -i 'https://address.podium.invalid/data/v4/games?limit=5' -H "Authorization: Bearer $PODIUM_DATA_KEY"
