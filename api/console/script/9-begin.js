offline();
begin();
