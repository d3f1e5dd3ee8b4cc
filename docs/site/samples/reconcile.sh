curl -i 'https://address.podium.invalid/cdp/v1/users/events/reconcile' \
  -H "Authorization: Bearer $PODIUM_EVENT_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"ids": ["deposit-93f1", "deposit-93f2"]}'
